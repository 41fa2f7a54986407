import HTTPSyntax
import HTTPTypes

/// An incremental parser for a response: its head as values, and its body up to a limit.
struct ResponseReader {
    /// The response, once its final head is complete; interim responses are skipped.
    private(set) var response: HTTPResponse?
    /// The body received so far.
    private(set) var body: [UInt8] = []

    private var parser: ResponseParser
    private let maximumBody: Int
    private let isStreamed: Bool

    /// - Parameters:
    /// - method: The request's method.
    /// - maximumBody: The maximum number of bytes of a collected body.
    /// - isStreamed: Whether a success's body, of any size, is read with ``takeBody()``.
    init(answering method: HTTPRequest.Method, maximumBody: Int, isStreamed: Bool = false) {
        parser = ResponseParser(answeringHead: method == .head)
        self.maximumBody = maximumBody
        self.isStreamed = isStreamed
    }

    /// Whether any byte was received.
    var hasBegun: Bool { parser.hasBegun }

    /// Whether the response is complete.
    var isDone: Bool { parser.isDone }

    /// Whether another request may follow on the connection (RFC 9112 §9.3).
    var canReuse: Bool { parser.canReuse }

    /// Whether the body is that of a streamed success.
    var streamsBody: Bool { isStreamed && response?.status.kind == .successful }

    /// Returns the part of a streamed success's body that was received since the last call.
    mutating func takeBody() -> [UInt8] {
        guard streamsBody else { return [] }
        defer { body = [] }
        return body
    }

    /// Parses the next bytes.
    ///
    /// They may be split anywhere.
    ///
    /// - Throws: ``ClientError`` of kind `invalidResponse` or `tooLarge`.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(ClientError) {
        let input = bytes.assumingMemoryBound(to: UInt8.self)
        var offset = 0
        while true {
            switch try next(input, &offset) {
            case .head:
                response = head()
                if let length = parser.length, !streamsBody {
                    guard length <= maximumBody else { throw tooLarge }
                    body.reserveCapacity(length)
                }
            case .data(let range):
                guard streamsBody || range.count <= maximumBody - body.count else {
                    throw tooLarge
                }
                body += input[range]
            case .needsMore, .end: return
            }
        }
    }

    /// Handles the end of the connection.
    ///
    /// - Throws: ``ClientError`` if the response isn't complete.
    mutating func finish() throws(ClientError) {
        do { try parser.finish() } catch { throw ClientError(error) }
    }

    private mutating func next(
        _ input: ByteSpan,
        _ offset: inout Int
    ) throws(ClientError) -> ResponseParser.Event {
        do { return try parser.next(input, &offset) } catch { throw ClientError(error) }
    }

    private func head() -> HTTPResponse {
        var response = HTTPResponse(status: HTTPResponse.Status(code: Int(parser.status)))
        parser.forEachField { line in
            // The parser has checked that it is a token.
            guard let name = HTTPField.Name(line.name.text) else { return }
            response.headerFields.append(HTTPField(name: name, value: line.value))
        }
        return response
    }

    private var tooLarge: ClientError {
        ClientError(.tooLarge, "The response's body is over \(maximumBody) bytes")
    }
}

extension ClientError {
    /// The error of a response that breaks HTTP, or a limit of its reader.
    fileprivate init(_ error: ProtocolError) {
        let kind: Kind = error.status == 431 ? .tooLarge : .invalidResponse
        self.init(kind, "The response is not valid HTTP: \(error.detail)")
    }
}
