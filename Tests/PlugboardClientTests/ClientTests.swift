import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import PlugboardClient
import Testing

@Suite("Client")
struct ClientTests {
    @Test("an action is sent with its method and path, and the output is decoded")
    func send() async throws {
        let transport = CannedTransport(#"{"photo":42,"likes":7}"#)
        let client = Client("http://localhost:8080", transport: transport)
        let likes = try await client.send(LikePhoto.self, .init(id: 42, user: "ada"))
        #expect(likes == Likes(photo: 42, likes: 7))
        let sent = try #require(transport.sent.first)
        #expect(sent.request.method == .post)
        #expect(sent.request.scheme == "http")
        #expect(sent.request.authority == "localhost:8080")
        #expect(sent.request.path == "/photos/42/like")
        #expect(sent.request.headerFields[.contentType] == "application/json")
        #expect(sent.request.headerFields[.accept]?.contains("application/problem+json") == true)
        #expect(sent.body == #"{"user":"ada"}"#)
    }

    @Test("the URL's path is a prefix, and the client's fields are sent with each request")
    func prefix() async throws {
        let transport = CannedTransport("[]")
        var client = Client("https://example.org/api/v1/", transport: transport)
        client.fields[.authorization] = "Bearer x"
        _ = try await client.send(ListPhotos.self, .init(limit: 2))
        let request = try #require(transport.sent.first?.request)
        #expect(request.scheme == "https")
        #expect(request.authority == "example.org")
        #expect(request.path == "/api/v1/photos?limit=2")
        #expect(request.headerFields[.authorization] == "Bearer x")
        #expect(request.headerFields[.contentType] == nil)
    }

    @Test("Void input and output have no body")
    func void() async throws {
        let transport = CannedTransport(.noContent, "text/plain", "")
        let client = Client("http://localhost", transport: transport)
        try await client.send(Flush.self)
        try await client.send(RemovePhoto.self, .init(id: "a/b"))
        #expect(transport.sent.map(\.body) == ["", ""])
        #expect(transport.sent.map(\.request.path) == ["/actions/Flush", "/photos/a%2Fb"])
        #expect(transport.sent.map(\.request.method) == [.post, .delete])

        let pong = Client("http://localhost", transport: CannedTransport(#""pong""#))
        #expect(try await pong.send(Ping.self) == "pong")
    }

    @Test("an action is plugged to a client, with each kind of input and output")
    func plug() async throws {
        let client = Client("http://localhost", transport: CannedTransport("7"))
        let likes = Client(
            "http://localhost",
            transport: CannedTransport(#"{"photo":1,"likes":7}"#)
        )
        let ping = Client("http://localhost", transport: CannedTransport(#""pong""#))
        try await Actions.withPlugs {
            LikePhoto.self <~ likes
            RemovePhoto.self <~ client
            Ping.self <~ ping
            Flush.self <~ client
            Sum.self <~ client
        } operation: {
            let answer = try await action(LikePhoto.self, .init(id: 1))
            #expect(answer.likes == 7)
            try await action(RemovePhoto.self, .init(id: "1"))
            let pong = try await action(Ping.self)
            #expect(pong == "pong")
            try await action(Flush.self)
            let sum = try await action(Sum.self, [3, 4])
            #expect(sum == 7)
        }
        try await Actions.withPlugs {
            LikePhoto.self <~ NetworkLikePhoto(network: likes)
        } operation: {
            let answer = try await action(LikePhoto.self, .init(id: 1))
            #expect(answer.likes == 7)
        }
    }

    @Test("a problem is thrown with all its members and the response's status")
    func problem() async {
        let body = #"{"title":"Taken","status":400,"detail":"again","balance":30}"#
        let type = "application/problem+json; charset=utf-8"
        let client = Client("http://a", transport: CannedTransport(.conflict, type, body))
        let problem = await #expect(throws: Problem.self) { try await client.send(Ping.self) }
        #expect(problem?.status == .conflict)
        #expect(problem?.title == "Taken")
        #expect(problem?.detail == "again")
        #expect(problem?.members["balance"] == 30)
    }

    @Test(
        "an error response without a problem is thrown as its status only",
        arguments: [
            ("text/html", "<h1>password: hunter2</h1>"), ("application/problem+json", "oops"),
            ("application/json", "oops"), ("application/problem+json", ""),
        ]
    )
    func bareStatus(type: String, body: String) async {
        let client = Client("http://a", transport: CannedTransport(.badGateway, type, body))
        await #expect(throws: Problem.badGateway()) { try await client.send(Ping.self) }
    }

    @Test("a redirect is an invalid response")
    func redirect() async {
        let client = Client("http://a", transport: CannedTransport(.found, "text/html", ""))
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .invalidResponse)
        #expect(error?.message.contains("302") == true)
    }

    @Test("an output of the wrong type is an invalid response", arguments: ["1", "", "\"", "{}"])
    func wrongOutput(body: String) async {
        let client = Client("http://a", transport: CannedTransport(body))
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .invalidResponse)
        #expect(error?.problem == .badGateway())
    }

    @Test("an optional output may be missing")
    func optionalOutput() async throws {
        class Find: Action<Int, String?> {}
        let client = Client("http://a", transport: CannedTransport(.noContent, "", ""))
        #expect(try await client.send(Find.self, 1) == nil)
    }

    @Test(
        "an invalid URL is an error of each call",
        arguments: [
            "", "localhost", "localhost:8080", "ftp://a", "http:/a", "http://", "http://:80",
            "http://a:x", "http://a:0", "http://a:65536", "http://u:p@a", "http://a?b",
            "http://a b",
            "http://[::1", "http://[x]", "http://a/b?c", "http://a/b#c", "http://a/b c",
            "http://::1",
            "http://a:+1", "http://a\r\nb",
        ]
    )
    func invalidURL(url: String) async {
        let transport = CannedTransport(#""pong""#)
        let client = Client(url, transport: transport)
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .invalidURL)
        #expect(error?.problem == .internalServerError())
        #expect(transport.sent.isEmpty)
    }

    @Test(
        "a URL with credentials or a query is rejected and not repeated (RFC 3986 §3.2.1)",
        arguments: [
            "http://ada:s3cret@a", "https://ada:s3/cret@a", "http://ada:1/s3cret@a",
            "http://ada:s3@cret@a", "ada:s3cret@a", "http://a?token=s3cret", "http://a/b#s3cret",
            "http://a/@s3/s3cret@",
        ]
    )
    func secret(url: String) async {
        let client = Client(url, transport: CannedTransport(#""pong""#))
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .invalidURL)
        let message = error?.message ?? ""
        #expect(!message.contains("s3") && !message.contains("cret"), "\(message)")
    }

    @Test("get decodes any value, with an inferred or an explicit type")
    func get() async throws {
        let transport = CannedTransport(#"{"id":7,"title":"Sea"}"#)
        let client = Client("http://localhost/api", transport: transport)
        let photo: Photo = try await client.get("/photos/7?full=1")
        #expect(photo == Photo(id: 7, title: "Sea"))
        #expect(try await client.get("/photos/7", as: JSON.self)["title"] == "Sea")
        #expect(transport.sent.first?.request.path == "/api/photos/7?full=1")
        #expect(transport.sent.first?.request.method == .get)
        let error = await #expect(throws: ClientError.self) {
            try await client.get("photos", as: JSON.self)
        }
        #expect(error?.kind == .invalidInput)
    }

    @Test("errors of the transport are thrown unchanged")
    func transportErrors() async {
        let client = Client(
            "http://a",
            transport: CannedTransport { _ in throw ClientError(.timedOut, "late") }
        )
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error == ClientError(.timedOut, "late"))
        #expect(error.map { Problem(for: $0) } == .gatewayTimeout())
    }
}
