public import PlugHTTP

/// Why a call got no answer that counts; what a server answers is an output or a ``Problem``.
public struct ClientError: Error, Sendable, Equatable {
    /// The kinds of errors.
    public enum Kind: Sendable, Hashable {
        /// The client's URL is none, or of a scheme that the transport doesn't speak.
        case invalidURL
        /// The input cannot be put into the request.
        case invalidInput
        /// There was no connection, or it was closed before an answer.
        case unreachable
        /// The server couldn't show that it is who the URL names, or nobody can be trusted at all.
        case untrusted
        /// The time allowed for the connection or the whole exchange was over.
        case timedOut
        /// What came is no HTTP, no success and no problem, or not the output that was asked for.
        case invalidResponse
        /// The answer is larger than the transport allows.
        case tooLarge
    }

    /// The kind of error.
    public let kind: Kind

    /// What happened, for a log: it may name hosts, which a server's own callers needn't know.
    public let message: String

    /// An error of that kind.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension ClientError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension ClientError: ProblemConvertible {
    /// What a server whose action called another server answers: `502`, `504` or, where the call
    /// was never made, `500`; without the message.
    public var problem: Problem {
        switch kind {
        case .unreachable, .untrusted, .invalidResponse, .tooLarge: .badGateway()
        case .timedOut: .gatewayTimeout()
        case .invalidURL, .invalidInput: .internalServerError()
        }
    }
}
