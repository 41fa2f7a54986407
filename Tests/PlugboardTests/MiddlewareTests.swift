import HTTPTypes
import Locking
import Plug
import PlugHTTP
import Plugboard
import Synchronization
import Testing

private class Hello: Action<Void, String>, GET { static var path: String { "/hello" } }
private class Echo: Action<Echo.Text, String>, POST, IgnoresUnknownMembers {
    struct Text: Codable, Sendable { var text: String }
    static var path: String { "/echo" }
}
private class Count: Action<Void, Int>, GET { static var path: String { "/count" } }

private class Lines: Action<Void, [String]>, GET { static var path: String { "/lines" } }
private class Upload: Action<RequestBody, Int>, POST { static var path: String { "/echo/upload" } }

private let performed = Atomic<Int>(0)

/// Notes that it was here, on the way out.
private func mark(_ text: String) -> Middleware {
    Middleware { _, next in
        var response = try await next()
        if let name = HTTPField.Name("X-Mark") {
            response.fields.append(HTTPField(name: name, value: text))
        }
        return response
    }
}

@Suite("Middleware", .serialized)
struct MiddlewareTests {
    private func site(
        _ middleware: [Middleware],
        compressionThreshold: Int? = 1024,
        _ body: (Site) async throws -> Void
    ) async throws {
        Hello.self <~ { "hello" }
        Count.self <~ { performed.add(1, ordering: .relaxed).newValue }
        Echo.self <~ { $0.text }
        Lines.self <~ { Array(repeating: "line", count: 100) }
        Upload.self <~ { body in
            var count = 0
            for try await piece in body { count += piece.count }
            return count
        }
        let folder = try TemporaryFolder()
        try folder.write("behaviors.json", "[]")
        try folder.write("page.txt", "a page")
        var server = Server(
            behaviors: .file(folder.path + "/behaviors.json"),
            middleware: middleware
        ) {
            Hello.self
            Count.self
            Echo.self
            Lines.self
            Upload.self
        }
        server.configuration.allowedHosts = ["other"]
        server.configuration.allowedOrigins = ["https://app.example"]
        server.configuration.publicFolder = folder.path
        server.configuration.compressionThreshold = compressionThreshold
        try await serving(server, body)
    }

    @Test("a 205 never has content (RFC 9110 §15.3.6)")
    func resetContent() async throws {
        let reset = Middleware { _, _ in ServerResponse(status: .resetContent, body: [1, 2]) }
        try await site([reset]) { site in
            let answer = try await site.get("/hello")
            #expect(answer.status == 205)
            #expect(answer["Content-Length"] == "0")
            #expect(answer.body.isEmpty)
        }
    }

    @Test("the first in the list is the outermost")
    func order() async throws {
        try await site([mark("outer"), mark("inner")]) { site in
            let answer = try await site.send("GET", "/hello")
            #expect(answer.text == "\"hello\"")
            let marks = answer.fields.filter { $0.name == "X-Mark" }.map(\.value)
            #expect(marks == ["inner", "outer"])
        }
    }

    @Test(
        "it runs for actions, documents, files and missing paths",
        arguments: [("/hello", 200), ("/behaviors.json", 200), ("/page.txt", 200), ("/none", 404)]
    )
    func everything(path: String, status: Int) async throws {
        try await site([mark("x")]) { site in
            let answer = try await site.send("GET", path)
            #expect(answer.status == status)
            #expect(answer["X-Mark"] == "x")
        }
    }

    @Test("compression as a middleware applies to some paths, if the server's own is off")
    func compression() async throws {
        let text = String(repeating: "text ", count: 100)
        let part = Middleware.compression(over: 100, below: "/echo")
        try await site([part], compressionThreshold: nil) { site in
            let fields = [("Accept-Encoding", "gzip")]
            let coded = try await site.post("/echo", "{\"text\":\"\(text)\"}", fields)
            #expect(coded["Content-Encoding"] == "gzip")
            #expect(coded["Vary"] == "Accept-Encoding")
            #expect(try inflated(coded.body) == Array("\"\(text)\"".utf8))
            let plain = try await site.post("/echo", "{\"text\":\"\(text)\"}")
            #expect(plain["Content-Encoding"] == nil)
            #expect(plain["Vary"] == "Accept-Encoding")
            let small = try await site.post("/echo", #"{"text":"a"}"#, fields)
            #expect(small["Content-Encoding"] == nil)
            let other = try await site.get("/hello", ("Accept-Encoding", "gzip"))
            #expect(other["Vary"] == nil)
        }
    }

    @Test("compression as a middleware has a tag for each coding (RFC 9110 §8.8.3.3)")
    func compressedTags() async throws {
        let part = Middleware.compression(over: 100, below: "/lines")
        try await site([part], compressionThreshold: nil) { site in
            let plain = try await site.get("/lines")
            let coded = try await site.get("/lines", ("Accept-Encoding", "gzip"))
            #expect(coded["Content-Encoding"] == "gzip")
            #expect(plain["Vary"] == "Accept-Encoding" && coded["Vary"] == "Accept-Encoding")
            #expect(try inflated(coded.body) == plain.body)
            let tags = try [plain, coded].map { try #require($0["ETag"]) }
            #expect(tags[0] != tags[1])
            let known = [("Accept-Encoding", "gzip"), ("If-None-Match", tags[1])]
            let answer = try await site.send("GET", "/lines", fields: known)
            #expect(answer.status == 304)
            #expect(answer["ETag"] == tags[1])
        }
    }

    @Test("a client without gzip gets Vary: Accept-Encoding once")
    func variesOnce() async throws {
        let text = String(repeating: "text ", count: 500)
        try await site([.compression(over: 1)]) { site in
            for answer in [
                try await site.send("GET", "/lines"),
                try await site.post("/echo", "{\"text\":\"\(text)\"}"),
            ] {
                #expect(answer.fields.count { $0.name == "Vary" } == 1)
            }
        }
    }

    @Test("a response that the server has compressed isn't compressed again")
    func compressedOnce() async throws {
        let text = String(repeating: "text ", count: 500)
        try await site([.compression(over: 1)]) { site in
            let fields = [("Accept-Encoding", "gzip")]
            let coded = try await site.post("/echo", "{\"text\":\"\(text)\"}", fields)
            #expect(coded.fields.filter { $0.name == "Content-Encoding" }.map(\.value) == ["gzip"])
            #expect(try inflated(coded.body) == Array("\"\(text)\"".utf8))
        }
    }

    @Test(
        "it runs for rejections before the body has arrived",
        arguments: [("/none", 404), ("/hello", 405), ("/echo", 415)]
    )
    func refusedBodies(path: String, status: Int) async throws {
        try await site([mark("x")]) { site in
            let answer = try await site.send(
                "POST",
                path,
                fields: [("Transfer-Encoding", "chunked"), ("Content-Type", "text/plain")],
                chunks: ["some", "text"]
            )
            #expect(answer.status == status)
            #expect(answer["X-Mark"] == "x")
            #expect(answer.fields.count { $0.name == "X-Mark" } == 1)
        }
    }

    @Test("it runs for rejections of large bodies, before 100 Continue (RFC 9110 §10.1.1)")
    func refusedLargeBodies() async throws {
        try await site([mark("x")]) { site in
            for (path, status) in [("/none", "404"), ("/hello", "405")] {
                let request = """
                    POST \(path) HTTP/1.1\r
                    Host: localhost\r
                    Content-Length: 90000000\r
                    Expect: 100-continue\r
                    \r

                    """
                let text = String(
                    decoding: try await exchange(request, port: site.port),
                    as: UTF8.self
                )
                #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
                #expect(text.contains("X-Mark: x\r\n"))
            }
        }
    }

    @Test("a custom one adds a field")
    func own() async throws {
        try await site([.unindexed]) { site in
            let answer = try await site.get("/hello")
            #expect(answer["X-Robots-Tag"] == "noindex")
        }
    }

    @Test("outer ones get an inner one's error as a response")
    func outsideOfError() async throws {
        let failing = Middleware { _, _ in throw Problem(status: .forbidden, detail: "not you") }
        try await site([.requestID, .cors(), .securityFields(), mark("x"), failing]) { site in
            let answer = try await site.get("/hello", ("Origin", "https://app.example"))
            #expect(answer.status == 403)
            #expect(answer.mediaType == "application/problem+json")
            #expect(answer["X-Request-ID"] != nil)
            #expect(answer["Access-Control-Allow-Origin"] == "https://app.example")
            #expect(answer["X-Frame-Options"] == "DENY")
            #expect(answer["X-Mark"] == "x")
        }
    }

    @Test("one that returns its own response skips the action")
    func refusal() async throws {
        let closed = Middleware { _, _ in
            ServerResponse(Problem(status: .serviceUnavailable, detail: "closed"))
        }
        try await site([closed]) { site in
            let answer = try await site.send("GET", "/count")
            #expect(answer.status == 503)
            #expect(answer.mediaType == "application/problem+json")
            #expect(performed.load(ordering: .relaxed) == 0)
        }
    }

    @Test(
        "a thrown problem is the response, and any other error a 500 without details"
    )
    func errors() async throws {
        struct Secret: Error { let word = "secret" }
        let failing = Middleware { request, _ in
            if request.path == "/hello" { throw Problem(status: .forbidden, detail: "not you") }
            throw Secret()
        }
        try await site([failing]) { site in
            #expect(try await site.send("GET", "/hello").status == 403)
            let answer = try await site.send("GET", "/page.txt")
            #expect(answer.status == 500)
            #expect(!answer.text.contains("ecret"))
        }
    }

    @Test("it gets the unchanged request")
    func request() async throws {
        let seen = Locked<[String]>([])
        let watch = Middleware { request, next in
            let name = request.head.headerFields[.userAgent] ?? ""
            seen.withLock {
                $0 += [request.head.method.rawValue, request.path, request.head.path ?? "", name]
                $0 += [String(request.bodySize)]
            }
            return try await next()
        }
        try await site([watch]) { site in
            let fields = [("User-Agent", "test"), ("Content-Type", "application/json")]
            let body = #"{"text":"a"}"#
            let answer = try await site.send("POST", "/echo?x=1", fields: fields, body: body)
            #expect(answer.text == "\"a\"")
        }
        #expect(seen.withLock { $0 } == ["POST", "/echo", "/echo?x=1", "test", "12"])
    }

    @Test("it gets an unknown method, and the request's scheme, authority and path")
    func unknownMethod() async throws {
        let seen = Locked<[String?]>([])
        let watch = Middleware { request, next in
            let head = request.head
            seen.withLock { $0 = [head.method.rawValue, head.scheme, head.authority, head.path] }
            return try await next()
        }
        try await site([watch]) { site in
            #expect(try await site.send("BREW", "/pot?x=1").status == 501)
            #expect(seen.withLock { $0 } == ["BREW", "http", "localhost", "/pot?x=1"])
            _ = try await site.send("GET", "http://other/hello")
            #expect(seen.withLock { $0 } == ["GET", "http", "other", "/hello"])
        }
    }

    @Test("HEAD has its length and no body (RFC 9110 §9.3.2)")
    func head() async throws {
        try await site([mark("x")]) { site in
            let request = "HEAD /page.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let bytes = try await exchange(request, port: site.port)
            let answer = try Answer(bytes, toHEAD: true)
            #expect(answer["Content-Length"] == "6")
            #expect(answer.body.isEmpty)
        }
    }

    @Test("a valid request ID is preserved, otherwise a new one is made")
    func requestID() async throws {
        try await site([.requestID]) { site in
            let given = try await site.send("GET", "/hello", fields: [("X-Request-ID", "abc-1")])
            #expect(given["X-Request-ID"] == "abc-1")
            let long = String(repeating: "x", count: 129)
            for fields in [[], [("X-Request-ID", "a b")], [("X-Request-ID", long)]] {
                let answer = try await site.send("GET", "/hello", fields: fields)
                #expect(answer["X-Request-ID"]?.utf8.count == 32)
            }
        }
    }

    @Test("a body over a path's limit is 413 (RFC 9110 §15.5.14)")
    func bodyLimit() async throws {
        try await site([.bodyLimit(12, below: "/echo")]) { site in
            let fields = [("Content-Type", "application/json")]
            let small = try await site.send("POST", "/echo", fields: fields, body: #"{"text":"a"}"#)
            #expect(small.status == 200)
            let large = try await site.send(
                "POST",
                "/echo",
                fields: fields,
                body: #"{"text":"ab"}"#
            )
            #expect(large.status == 413)
        }
    }

    @Test("an inflated body and a streamed body over a path's limit are 413, too")
    func bodyLimitElsewhere() async throws {
        let text = String(repeating: "a", count: 5000)
        let large = Array("{\"text\":\"\(text)\"}".utf8)
        try await site([.bodyLimit(2000, below: "/echo")]) { site in
            let (coded, small) = (try gzipped(large), try gzipped(large.prefix(1000)))
            #expect(coded.count < 200)
            #expect(try await site.post("/echo", coded).status == 413)
            #expect(try await site.post("/echo", small).status == 400)
            #expect(try await site.post("/echo/upload", coded).status == 413)
            #expect(try await site.post("/echo/upload", small).text == "1000")
            let pieces = [String(text.prefix(1500)), String(text.prefix(1500))]
            let fields = [("Transfer-Encoding", "chunked")]
            let sent = try await site.send("POST", "/echo/upload", fields: fields, chunks: pieces)
            #expect(sent.status == 413)
            let some = [String(text.prefix(1500))]
            let fewer = try await site.send("POST", "/echo/upload", fields: fields, chunks: some)
            #expect(fewer.text == "1500")
        }
    }

    @Test("another spelling of a path doesn't evade its limit (RFC 3986 §6.2.2)")
    func encodedPath() async throws {
        try await site([.bodyLimit(12, below: "/%65cho")]) { site in
            let fields = [("Content-Type", "application/json")]
            let body = #"{"text":"ab"}"#
            for path in ["/echo", "/%65cho", "/ech%6F", "/%65%63%68%6f"] {
                let answer = try await site.send("POST", path, fields: fields, body: body)
                #expect(answer.status == 413)
            }
        }
    }

    @Test("security fields are added to responses")
    func securityFields() async throws {
        try await site([.securityFields(contentSecurityPolicy: "default-src 'self'")]) { site in
            let answer = try await site.send("GET", "/page.txt")
            #expect(answer["X-Content-Type-Options"] == "nosniff")
            #expect(answer["X-Frame-Options"] == "DENY")
            #expect(answer["Content-Security-Policy"] == "default-src 'self'")
        }
    }
}

extension Middleware {
    /// As in Documentation/Serving.md.
    fileprivate static let unindexed = Middleware { request, next in
        var response = try await next()
        if let name = HTTPField.Name("X-Robots-Tag") { response.fields[name] = "noindex" }
        return response
    }
}
