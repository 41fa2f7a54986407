public import HTTPTransport
public import HTTPTypes
import JSONCodec
import Locking

/// A transport that responds without a network, and stores the requests.
///
/// ```swift
/// let mock = MockTransport { request, body in
///     request.path == "/photos" ? .json([Photo(id: 1, title: "Sea")]) : .status(.notFound)
/// }
/// let client = Client("https://api.example.com", transport: mock)
/// #expect(mock.requests.count == 1)
/// ```
public final class MockTransport: Transport {
    /// A response of a mock.
    public struct Response: Sendable {
        /// The status and the fields.
        public var head: HTTPResponse
        /// The body.
        public var body: [UInt8]

        /// Creates a response.
        public init(_ head: HTTPResponse, body: [UInt8] = []) {
            self.head = head
            self.body = body
        }

        /// Returns a response with a value as JSON.
        ///
        /// - Throws: `EncodingError` if the value can't be encoded.
        public static func json(
            _ value: some Encodable,
            status: HTTPResponse.Status = .ok
        ) throws -> Response {
            let fields: HTTPFields = [.contentType: "application/json"]
            return Response(
                HTTPResponse(status: status, headerFields: fields),
                body: try JSON.encode(value)
            )
        }

        /// Returns a response without a body.
        public static func status(_ status: HTTPResponse.Status) -> Response {
            Response(HTTPResponse(status: status))
        }
    }

    private let respond: @Sendable (HTTPRequest, [UInt8]) async throws -> Response
    private let received = Locked<[(HTTPRequest, [UInt8])]>([])

    /// Creates a mock; its error is thrown by the call.
    public init(_ respond: @escaping @Sendable (HTTPRequest, [UInt8]) async throws -> Response) {
        self.respond = respond
    }

    /// The requests so far, with their bodies.
    public var requests: [(request: HTTPRequest, body: [UInt8])] {
        received.withLock { all in all.map { (request: $0.0, body: $0.1) } }
    }

    /// Returns the mock's response.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        try Task.checkCancellation()
        received.withLock { $0.append((request, body)) }
        let response = try await respond(request, body)
        return (response.head, response.body)
    }
}
