import HTTPTypes
import Testing

@testable import HTTPTransport

@Suite("Bytes of a request (RFC 9112)")
struct RequestBytesTests {
    private func text(
        _ method: HTTPRequest.Method,
        _ path: String?,
        _ fields: HTTPFields = [:],
        body: String = "",
        isChunked: Bool = false
    ) throws -> String {
        var request = HTTPRequest(method: method, scheme: "http", authority: "a:1", path: path)
        request.headerFields = fields
        let bytes = try RequestBytes.encode(request, body: Array(body.utf8), isChunked: isChunked)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a head has the request line, Host and the fields in order")
    func head() throws {
        #expect(try text(.get, "/a?b=%20") == "GET /a?b=%20 HTTP/1.1\r\nHost: a:1\r\n\r\n")
        #expect(try text(.get, nil) == "GET / HTTP/1.1\r\nHost: a:1\r\n\r\n")
        #expect(
            try text(.delete, "/", [.accept: "x", .authorization: "y"])
                == "DELETE / HTTP/1.1\r\nHost: a:1\r\nAccept: x\r\nAuthorization: y\r\n\r\n"
        )
    }

    @Test("cookies are one field (RFC 6265 §5.4)")
    func cookies() throws {
        var fields: HTTPFields = [:]
        fields[.cookie] = "a=b; c=d"
        #expect(
            try text(.get, "/", fields) == "GET / HTTP/1.1\r\nHost: a:1\r\nCookie: a=b; c=d\r\n\r\n"
        )
    }

    @Test("a body has one Content-Length; a POST, PUT or PATCH without body has 0 (RFC 9110 §8.6)")
    func lengths() throws {
        let post = try text(.post, "/", [.contentLength: "999", .connection: "close"], body: "ab")
        #expect(post == "POST / HTTP/1.1\r\nHost: a:1\r\nContent-Length: 2\r\n\r\nab")
        for method in [HTTPRequest.Method.post, .put, .patch] {
            #expect(try text(method, "/").contains("\r\nContent-Length: 0\r\n"))
        }
        let chunked = try text(.post, "/", [.transferEncoding: "gzip"], isChunked: true)
        #expect(chunked == "POST / HTTP/1.1\r\nHost: a:1\r\nTransfer-Encoding: chunked\r\n\r\n")
    }

    @Test(
        "a target that would break the head is rejected",
        arguments: ["/a b", "/é"]
    )
    func targets(path: String) {
        let error = #expect(throws: ClientError.self) { try text(.get, path) }
        #expect(error?.kind == .invalidInput)
    }

    @Test("a chunk has its size in hexadecimal; an empty piece doesn't end the body (§7.1)")
    func chunks() {
        func chunk(_ piece: [UInt8]?) -> String {
            String(decoding: RequestBytes.chunk(piece), as: UTF8.self)
        }
        #expect(chunk(Array("ab".utf8)) == "2\r\nab\r\n")
        #expect(chunk([UInt8](repeating: 0x61, count: 26)).hasPrefix("1a\r\naa"))
        #expect(chunk([]) == "")
        #expect(chunk(nil) == "0\r\n\r\n")
    }

    @Test(
        "the server's time limit has at most twelve digits before its point (RFC 9651 §3.3.2)",
        arguments: zip(TimeoutTests.times, ["31536000.000", "31536000.000", "0.001", "0.001"])
    )
    func field(_ left: Duration, _ value: String) {
        let line = String(decoding: RequestBytes.timeout(left), as: UTF8.self)
        #expect(line == "Request-Timeout: \(value)\r\n")
    }
}
