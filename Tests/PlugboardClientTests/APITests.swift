import HTTPTypes
import Locking
import PlugboardClient
import Testing

private struct Repository: Codable, Sendable, Equatable { var name: String }
private struct Repositories: API.GET {
    typealias Response = [Repository]
    let path: String
    let urlParameters = ["visibility": "public", "q": "a b&c=é"]
}
private struct Issue: Codable, Sendable { var title: String; var labels: [String] }
private struct CreateIssue: API.POST {
    typealias Response = Void
    let body: API.Body
    var path: String { "repos/\(API.segment("a/b c"))/issues" }
    var headers = ["X-GitHub-Api-Version": "2022-11-28"]
}
private struct Text: API.GET {
    typealias Response = String
    let path = "/text"
}
private struct Raw: API.GET {
    typealias Response = [UInt8]
    let path = "/raw"
}
private struct Unstar: API.DELETE {
    typealias Response = Void
    let path = "user/starred/1"
}
private struct UnstarAll: API.DELETE {
    typealias Response = Void
    let path = "user/starred"
    let body = API.Body.json([1, 2])
}

@Suite("APIs of others")
struct APITests {
    private func client(_ transport: MockTransport) -> Client {
        Client("https://api.example.com/v3/", token: "t", transport: transport)
    }

    @Test("a path has a slash or not, and parameters are encoded", arguments: ["", "/"])
    func path(slash: String) async throws {
        let server = MockTransport { _, _ in try .json([Repository(name: "a")]) }
        let all = try await client(server).send(Repositories(path: slash + "user/repos"))
        #expect(all == [Repository(name: "a")])
        let request = try #require(server.requests.first?.request)
        #expect(request.method == .get)
        #expect(request.authority == "api.example.com")
        #expect(request.path == "/v3/user/repos?q=a%20b%26c%3D%C3%A9&visibility=public")
        #expect(request.headerFields[.authorization] == "Bearer t")
        #expect(request.headerFields[.contentType] == nil)
        _ = try await client(server).send(Repositories(path: "user/repos?page=2"))
        #expect(server.requests.last?.request.path?.hasPrefix("/v3/user/repos?page=2&q=a") == true)
    }

    static let bodies: [(API.Body, String?, String)] = [
        (.none, nil, ""),
        (.string("é"), "text/plain; charset=utf-8", "é"),
        (.data([0x61], mediaType: "image/png"), "image/png", "a"),
        (.json(Issue(title: "t", labels: [])), "application/json", #"{"labels":[],"title":"t"}"#),
        (.url(["a b": "c&d"]), "application/x-www-form-urlencoded", "a%20b=c%26d"),
        (
            .form(Issue(title: "=", labels: ["x", "y"])), "application/x-www-form-urlencoded",
            "labels=x&labels=y&title=%3D"
        ),
        (.stream(RequestBody(bytes: [0x62], mediaType: "a/b")), "a/b", "b"),
    ]

    @Test("each kind of body has its media type", arguments: bodies)
    func kinds(body: API.Body, type: String?, text: String) async throws {
        let server = MockTransport { _, _ in .status(.created) }
        try await client(server).send(CreateIssue(body: body))
        let (request, sent) = try #require(server.requests.first)
        #expect(request.path == "/v3/repos/a%2Fb%20c/issues")
        #expect(request.headerFields[.contentType] == type)
        let version = try #require(HTTPField.Name("X-GitHub-Api-Version"))
        #expect(request.headerFields[version] == "2022-11-28")
        #expect(String(decoding: sent, as: UTF8.self) == text)
    }

    @Test("a DELETE has no body unless its endpoint has one")
    func delete() async throws {
        let server = MockTransport { _, _ in .status(.noContent) }
        try await client(server).send(Unstar())
        try await client(server).send(UnstarAll())
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["", "[1,2]"])
    }

    @Test("a multipart form has fields and files, in memory and in pieces")
    func multipart() async throws {
        let server = MockTransport { _, _ in .status(.noContent) }
        for isStreamed in [false, true] {
            var form = MultipartForm()
            form.add("a\"\r\n", "é")
            let rest = Locked([[0x31], [0x32]] as [[UInt8]])
            let body = RequestBody(mediaType: "a/b") {
                rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            }
            if isStreamed {
                form.add("f", body, fileName: "x.bin")
            } else {
                form.add("f", bytes: "12".utf8, fileName: "x.bin", mediaType: "a/b")
            }
            try await client(server).send(CreateIssue(body: .multipart(form)))
            let (request, sent) = try #require(server.requests.last)
            let type = try #require(request.headerFields[.contentType])
            let boundary = try #require(type.split(separator: "boundary=").last)
            #expect(
                String(decoding: sent, as: UTF8.self)
                    == "--\(boundary)\r\nContent-Disposition: form-data; name=\"a%22%0D%0A\"\r\n\r\n"
                    + "é\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"; "
                    + "filename=\"x.bin\"\r\nContent-Type: a/b\r\n\r\n12\r\n--\(boundary)--\r\n"
            )
        }
        var form = MultipartForm()
        form.add("f", bytes: [], fileName: "", mediaType: "a/b\r\nX: y")
        #expect(throws: ClientError.self) { try form.body() }
    }

    @Test("texts and bytes aren't decoded as JSON")
    func raw() async throws {
        let server = MockTransport { _, _ in
            MockTransport.Response(HTTPResponse(status: .ok), body: Array("[1]".utf8))
        }
        #expect(try await client(server).send(Text()) == "[1]")
        #expect(try await client(server).send(Raw()) == Array("[1]".utf8))
        let invalid = MockTransport { _, _ in
            MockTransport.Response(HTTPResponse(status: .ok), body: [0xFF])
        }
        let error = await #expect(throws: ClientError.self) {
            try await client(invalid).send(Text())
        }
        #expect(error?.kind == .invalidResponse)
    }

    @Test("an error response has its status, fields and body")
    func failure() async throws {
        struct Message: Codable, Equatable { var message: String }
        for status in [HTTPResponse.Status.notFound, .found, .internalServerError] {
            let server = MockTransport { _, _ in try .json(Message(message: "no"), status: status) }
            let error = await #expect(throws: API.ErrorResponse.self) {
                try await client(server).send(Text())
            }
            #expect(error?.status == status)
            #expect(error?.fields[.contentType] == "application/json")
            #expect(try error?.decode(Message.self) == Message(message: "no"))
            #expect(error?.problem == .badGateway())
        }
    }

    @Test("a response of another type is an error")
    func otherType() async throws {
        let server = MockTransport { _, _ in try .json(["a": 1]) }
        let error = await #expect(throws: ClientError.self) {
            try await client(server).send(Repositories(path: "a"))
        }
        #expect(error?.kind == .invalidResponse)
    }

    @Test(
        "a path that leaves the client's URL or can't be sent is an error, and nothing is sent",
        arguments: [
            "../admin", "a/../../b", "a/%2e%2E/b", "./a", "https://evil.example/a",
            "//evil.example",
            "a b", "a\r\nX: b", "é", "a#b",
        ]
    )
    func badPath(path: String) async throws {
        let server = MockTransport { _, _ in .status(.ok) }
        let error = await #expect(throws: ClientError.self) {
            try await client(server).send(Repositories(path: path))
        }
        #expect(error?.kind == .invalidInput)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "a header field that can't be sent is an error, and nothing is sent",
        arguments: [
            ("X-A", "a\r\nX-Evil: 1"), ("X-A", "a\nb"), ("X-A", "\u{0}"), ("X-A", " a"),
            ("X A", "a"), ("", "a"), ("X-A:", "a"),
        ]
    )
    func badField(name: String, value: String) async throws {
        let server = MockTransport { _, _ in .status(.ok) }
        let error = await #expect(throws: ClientError.self) {
            try await client(server).send(CreateIssue(body: .none, headers: [name: value]))
        }
        #expect(error?.kind == .invalidInput)
        #expect(server.requests.isEmpty)
    }

    // MARK: Pages

    @Test(
        "pages follow the links of the responses",
        arguments: [
            "<https://api.example.com/v3/next?p=2>; rel=\"next\"", "</v3/next?p=2>; rel=next",
            "<next?p=2>;rel=\"last next\"",
            "<?p=9>; rel=prev, </v3/next?p=2>; title=\"a, b\"; REL=Next",
            "<https://API.example.com:443/v3/next?p=2>; rel=\"next\"; rel=\"prev\"",
        ]
    )
    func pages(link: String) async throws {
        let field = try #require(HTTPField.Name("Link"))
        let server = MockTransport { request, _ in
            guard request.path?.hasPrefix("/v3/list") == true else {
                return try .json([Repository(name: "b")])
            }
            var response = try MockTransport.Response.json([Repository(name: "a")])
            response.head.headerFields[field] = link
            return response
        }
        var names: [String] = []
        for try await page in client(server).pages(of: Repositories(path: "list")) {
            names += page.map(\.name)
        }
        #expect(names == ["a", "b"])
        #expect(server.requests.last?.request.path == "/v3/next?p=2")
        #expect(server.requests.last?.request.headerFields[.authorization] == "Bearer t")
    }

    @Test(
        "a link to another origin or to the page itself is an error, and nothing is sent there",
        arguments: [
            "<https://evil.example/v3/list>", "<//evil.example/a>", "<http://api.example.com/v3/a>",
            "<https://api.example.com:444/a>", "<ftp://api.example.com/a>", "<mailto:a@b>",
            "<list?q=a%20b%26c%3D%C3%A9&visibility=public>",
            "<https://api.example.com@evil.example/>",
        ]
    )
    func badLink(link: String) async throws {
        let field = try #require(HTTPField.Name("Link"))
        let server = MockTransport { _, _ in
            var response = try MockTransport.Response.json([Repository(name: "a")])
            response.head.headerFields[field] = link + "; rel=next"
            return response
        }
        let error = await #expect(throws: ClientError.self) {
            for try await _ in client(server).pages(of: Repositories(path: "list")) {}
        }
        #expect(error?.kind == .invalidResponse)
        #expect(server.requests.count == 1)
    }

    @Test(
        "links without the relation, and broken ones, end the pages",
        arguments: [
            "", "<a>", "<a>; rel=prev", "a; rel=next", "<a; rel=next", "<a>; title=\"rel=next\"",
        ]
    )
    func lastPage(link: String) async throws {
        let field = try #require(HTTPField.Name("Link"))
        let server = MockTransport { _, _ in
            var response = try MockTransport.Response.json([Repository(name: "a")])
            response.head.headerFields[field] = link
            return response
        }
        for try await _ in client(server).pages(of: Repositories(path: "list")) {}
        #expect(server.requests.count == 1)
    }
}
