/// A failure without a valid response; a server's error responses are a ``Problem``.
public struct ClientError: Error, Sendable, Equatable {
    /// The kinds of errors.
    public enum Kind: Sendable, Hashable {
        /// The client's URL is invalid, or its scheme isn't supported by the transport.
        case invalidURL
        /// The input can't be encoded into the request.
        case invalidInput
        /// The connection failed, or was closed before a response.
        case unreachable
        /// The server's certificate isn't trusted for the URL's host, or the trust store is
        /// unusable.
        case untrusted
        /// The connection or the whole exchange exceeded its timeout.
        case timedOut
        /// The response isn't HTTP, is neither a success nor a problem, or doesn't match the output
        /// type.
        case invalidResponse
        /// The response exceeds the transport's limit.
        case tooLarge
    }

    /// The kind of error.
    public let kind: Kind

    /// The cause, for a log only: it may contain internal host names.
    public let message: String

    /// Creates an error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension ClientError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
