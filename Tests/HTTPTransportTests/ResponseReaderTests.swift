import HTTPTypes
import Testing

@testable import HTTPTransport

@Suite("Response reader")
struct ResponseReaderTests {
    private func read(
        _ text: String,
        isStreamed: Bool = false
    ) throws(ClientError) -> ResponseReader {
        var reader = ResponseReader(answering: .get, maximumBody: 1 << 10, isStreamed: isStreamed)
        for byte in text.utf8 {
            let result: Result<Void, ClientError> = withUnsafeBytes(of: byte) { bytes in
                Result { () throws(ClientError) in try reader.feed(bytes) }
            }
            try result.get()
        }
        return reader
    }

    @Test("a response has a status, fields in order and a body")
    func whole() throws {
        let reader = try read(
            "HTTP/1.1 201 Created\r\nSet-Cookie: 1\r\nset-cookie: 2\r\nContent-Length: 2\r\n\r\nab"
        )
        #expect(reader.response?.status == .created)
        let fields = try #require(reader.response?.headerFields)
        #expect(fields.map(\.name.rawName) == ["Set-Cookie", "set-cookie", "Content-Length"])
        #expect(fields.map(\.value) == ["1", "2", "2"])
        #expect(reader.body == Array("ab".utf8))
        #expect(reader.isDone && reader.canReuse && reader.hasBegun)
    }

    @Test("an interim response isn't returned")
    func interim() throws {
        #expect(try read("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n").response == nil)
    }

    @Test(
        "a response that violates HTTP is invalid",
        arguments: ["SSH-2.0\r\n", "HTTP/1.1 2x0\r\n\r\n"]
    )
    func invalid(text: String) {
        let error = #expect(throws: ClientError.self) { try read(text) }
        #expect(error?.kind == .invalidResponse)
    }

    @Test("a response that ends too early is invalid")
    func truncated() throws {
        var reader = try read("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na")
        let error = #expect(throws: ClientError.self) { try reader.finish() }
        #expect(error?.kind == .invalidResponse)
    }

    @Test(
        "a body over the limit is rejected in each kind of framing",
        arguments: ["Content-Length: 1025", "Transfer-Encoding: chunked", "X: until close"]
    )
    func tooLarge(field: String) throws {
        let body = String(repeating: "a", count: 1_025)
        let chunked = field.hasPrefix("T") ? "401\r\n\(body)\r\n0\r\n\r\n" : body
        let text = "HTTP/1.1 200 OK\r\n\(field)\r\n\r\n\(chunked)"
        let error = #expect(throws: ClientError.self) { try read(text) }
        #expect(error?.kind == .tooLarge)
        var reader = try read(text, isStreamed: true)
        #expect(reader.takeBody().count == 1_025)
        #expect(reader.takeBody().isEmpty)
    }

    @Test("an error's body is collected even if a success's would be streamed")
    func streamed() throws {
        var reader = try read("HTTP/1.1 404\r\nContent-Length: 1\r\n\r\na", isStreamed: true)
        #expect(reader.takeBody().isEmpty)
        #expect(reader.body == [UInt8(ascii: "a")])
    }
}
