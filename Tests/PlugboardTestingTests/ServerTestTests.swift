import PlugboardTesting
import Testing

private class LikePhoto: Action<LikePhoto.Like, Int>, POST {
    struct Like: Codable, Sendable, Equatable {
        var id: Int
        var user: String?
    }
    static var path: String { "/photos/{id}/like" }
}
private class Upload: Action<RequestBody, Int>, POST { static var path: String { "/upload" } }
private class Count: Action<Count.Upto, AsyncStream<Int>>, GET {
    struct Upto: Codable, Sendable { var limit: Int }
    static var path: String { "/count" }
}
private class Forgotten: Action<Void, Int>, GET { static var path: String { "/forgotten" } }

@Suite("server.test")
struct ServerTestTests {
    private let server = Server(middleware: [.requestID]) {
        LikePhoto.self
        Forgotten.self
    }

    @Test(
        "a client performs actions in memory, with only the test's plugs",
        arguments: 0..<200
    )
    func sending(number: Int) async throws {
        let mock = Mock(LikePhoto.self).returning(number)
        try await Actions.withPlugs {
            LikePhoto.self <~ mock
        } operation: {
            try await server.test { client in
                let likes = try await client.send(LikePhoto.self, .init(id: 42, user: "ada"))
                #expect(likes == number)
            }
        }
        #expect(mock.inputs == [.init(id: 42, user: "ada")])
    }

    @Test("middleware, rejections and problems are the same as on a socket")
    func wire() async throws {
        let transport = try server.memoryTransport()
        func send(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ body: String = ""
        ) async throws
            -> (HTTPResponse, String)
        {
            var request = HTTPRequest(
                method: method,
                scheme: "http",
                authority: "localhost",
                path: path
            )
            request.headerFields[.contentType] = "application/json"
            let (response, bytes) = try await transport.send(request, body: Array(body.utf8))
            return (response, String(decoding: bytes, as: UTF8.self))
        }
        try await Actions.withPlugs {
            LikePhoto.self <~ { $0.id }
        } operation: {
            let (liked, likes) = try await send(.post, "/photos/7/like", "{}")
            #expect(liked.status == .ok)
            #expect(likes == "7")
            #expect(liked.headerFields.contains { $0.name.canonicalName == "x-request-id" })
            let (refused, problem) = try await send(.post, "/photos/7/like", #"{"user":5}"#)
            #expect((400...422).contains(refused.status.code))
            #expect(problem.contains(#""pointer":"/user""#))
            let (missing, _) = try await send(.get, "/nowhere")
            #expect(missing.status == .notFound)
            let (head, none) = try await send(.head, "/healthz")
            #expect(head.status == .ok)
            #expect(none.isEmpty)
            let (bad, _) = try await send(.get, "/a%ZZ")
            #expect(bad.status.code >= 400)
        }
    }

    @Test("a call of an unplugged action throws a problem that names the action")
    func notPlugged() async throws {
        try await server.test { client in
            let problem = await #expect(throws: Problem.self) {
                try await client.send(Forgotten.self)
            }
            #expect(problem?.detail == "Forgotten has no plug")
        }
    }

    @Test("streamed bodies and outputs are collected in memory")
    func pieces() async throws {
        let server = Server {
            Upload.self
            Count.self
        }
        try await Actions.withPlugs {
            Upload.self <~ { body in
                var size = 0
                for try await piece in body { size += piece.count }
                return size
            }
            Count.self <~ { upto in
                AsyncStream { continuation in
                    for number in 0..<upto.limit { continuation.yield(number) }
                    continuation.finish()
                }
            }
        } operation: {
            let transport = try server.memoryTransport()
            func send(
                _ method: HTTPRequest.Method,
                _ path: String,
                _ body: [UInt8]
            ) async throws
                -> String
            {
                let request = HTTPRequest(
                    method: method,
                    scheme: "http",
                    authority: "localhost",
                    path: path
                )
                return String(
                    decoding: try await transport.send(request, body: body).1,
                    as: UTF8.self
                )
            }
            let size = try await send(.post, "/upload", [UInt8](repeating: 1, count: 100_000))
            #expect(size == "100000")
            let lines = try await send(.get, "/count?limit=3", [])
            #expect(lines == "0\n1\n2\n")
        }
    }

    @Test("a server that can't start fails the test with the reason")
    func broken() async {
        var server = server
        server.configuration.publicFolder = "/nowhere/at/all"
        let error = await #expect(throws: StartError.self) { try await server.test { _ in } }
        #expect(error?.problems.count == 1)
    }
}
