import Eventually
import HTTPServer
import HTTPSyntax
import Locking
import Plug
import PlugHTTP
import TestLog
import Testing

@testable import Plugboard

private class Watch: Action<Void, EventStream>, GET, Scoped {
    static var path: String { "/watch" }
    static var scopes: Scopes { ["photos:read"] }
    /// Opened when a caller's first event is asked for.
    static let begun = Locked<[String: Gate]>([:])
}
private class Upload: Action<RequestBody, String>, POST, Scoped {
    static var path: String { "/upload" }
    static var scopes: Scopes { ["photos:read"] }
}

@Suite("Streams of callers that authenticators identify", .serialized, .timeLimit(.minutes(2)))
struct AuthenticatorStreamsTests {
    private let sessions = Sessions()
    private let journal = Journal()

    init() {
        Watch.self <~ {
            let begun = Watch.begun.withLock { $0[Caller.current?.id ?? ""] }
            return EventStream {
                begun?.open()
                try await Task.sleep(for: .milliseconds(20))
                return ServerSentEvent(data: "7")
            }
        }
        Upload.self <~ { body in
            var size = 0
            for try await piece in body { size += piece.count }
            return "\(size) by \(Caller.current?.name ?? "-")"
        }
    }

    private func server() -> Server {
        var server = Server(
            authenticators: [.apiKeys, sessions.cookies],
            logger: journal.logger
        ) {
            Watch.self
            Upload.self
        }
        server.impliedScopes = ["editor": ["photos:read"]]
        return server
    }

    private func watch(_ site: Site, _ session: String) async throws -> Answer {
        try await site.get("/watch", cookie(session))
    }

    @Test("the end of a session ends its stream regularly, and no other session's")
    func ended() async throws {
        try await serving(server()) { site in
            let gates = ["u1": Gate(), "u3": Gate()]
            Watch.begun.withLock { $0 = gates }
            let isOver = Locked(false)
            let ada = Task { try await watch(site, "s1") }
            let eve = Task {
                defer { isOver.withLock { $0 = true } }
                return try await watch(site, "s3")
            }
            for gate in gates.values { await gate.pass() }
            await sessions.end("s1")
            let answer = try await soon("the stream's end") { try await ada.value }
            #expect(answer.status == 200)
            #expect(answer.text.hasPrefix("data: 7\n\n"))
            let again = try await watch(site, "s1")
            #expect(again.status == 401)
            #expect(!isOver.withLock { $0 })
            await sessions.end("s3")
            _ = try await soon("the other stream's end") { try await eve.value }
        }
    }

    @Test("the end of a session ends its stream over HTTP/2")
    func endedOverHTTP2() async throws {
        try await serving(server()) { site in
            let gate = Gate()
            Watch.begun.withLock { $0 = ["u1": gate] }
            let ada = Task { try await site.http2([.init(path: "/watch", fields: [cookie("s1")])]) }
            await gate.pass()
            await sessions.end("s1")
            let answers = try await soon("the stream's end") { try await ada.value }
            #expect(answers.map(\.status) == [200])
            #expect(answers[0].text.hasPrefix("data: 7\n\n"))
        }
    }

    @Test("a caller's open streams are limited, and another caller's aren't counted")
    func limited() async throws {
        var server = server()
        server.configuration.endlessStreamsPerCaller = 1
        try await serving(server) { site in
            let gates = ["u1": Gate(), "u3": Gate()]
            Watch.begun.withLock { $0 = gates }
            let ada = Task { try await watch(site, "s1") }
            await gates["u1"]?.pass()
            let second = try await watch(site, "s1-phone")
            #expect(second.status == 429)
            let eve = Task { try await watch(site, "s3") }
            await gates["u3"]?.pass()
            await sessions.end("s1")
            await sessions.end("s3")
            #expect(try await ada.value.status == 200)
            #expect(try await eve.value.status == 200)
        }
    }

    @Test("a streamed body has its caller, and is rejected without one")
    func bodies() async throws {
        try await serving(server()) { site in
            for (field, status, text) in [
                (cookie("s1"), 200, #""5 by ada""#), (apiKey("k1"), 200, #""5 by billing""#),
                (cookie("s2"), 403, nil), (cookie("s9"), 401, nil), (cookie("down"), 503, nil),
                (("A", "b"), 401, nil),
            ] {
                let answer = try await site.send(
                    "POST",
                    "/upload",
                    fields: [field, ("Transfer-Encoding", "chunked")],
                    chunks: ["123", "45"]
                )
                #expect(answer.status == status, "\(field)")
                if let text { #expect(answer.text == text) }
            }
        }
    }

    @Test("a stream ends with its caller's key or session")
    func standing() async throws {
        let isKnown = Locked(true)
        let keys = Authenticator(.cookie("session")) { _ in
            isKnown.withLock { $0 } ? Caller(id: "1", scopes: ["other"]) : nil
        }
        let sync = try #require(await standing(keys))
        #expect(sync())
        isKnown.withLock { $0 = false }
        #expect(!sync())
        let late = try #require(await standing(sessions.cookies))
        #expect(late())
        await sessions.end("s2")
        // The check returns the result of the one before.
        try await eventually("the session's end is known") { !late() }
    }

    private func standing(_ authenticator: Authenticator) async -> (@Sendable () -> Bool)? {
        let credentials = Access.Credentials(authenticators: [authenticator])
        let access = Access(scopes: ["other"], credentials: credentials)
        let head = Array("GET /who HTTP/1.1\r\nHost: a\r\nCookie: session=s2\r\n\r\n".utf8)
        let parser = RequestParser(limits: HeadLimits())
        let attempts = head.withUnsafeBufferPointer { bytes in
            _ = parser.parse(bytes)
            return credentials.attempts(parser.headPlace.pointee, from: .unknown)
        }
        let found = Authentication(await credentials.resolve(attempts, journal.logger))
        return head.withUnsafeBufferPointer { bytes in
            _ = parser.parse(bytes)
            let admitted = Request.Admitted(found)
            let place = IncomingRequest(parser.headPlace, from: .unknown, admitted: admitted)
            return access.standing(of: Request(place), journal.logger)
        }
    }
}
