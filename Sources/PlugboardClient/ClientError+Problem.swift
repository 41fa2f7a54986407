public import HTTPTransport
public import PlugHTTP

extension ClientError: ProblemConvertible {
    /// The response of a server whose action called another server, without the message.
    ///
    /// It is `502`, `504`, or `500` if the request was never sent.
    public var problem: Problem {
        switch kind {
        case .unreachable, .untrusted, .invalidResponse, .tooLarge: .badGateway()
        case .timedOut: .gatewayTimeout()
        case .invalidURL, .invalidInput: .internalServerError()
        }
    }
}
