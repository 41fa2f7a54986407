import HTTPSyntax
import HTTPServer
import HTTPTypes
import Identity
import Locking
import Logging
import Plug
import PlugHTTP
import Storage
import Testing

@testable import Plugboard

private class Watch: Action<Void, EventStream>, GET, Scoped {
    static var path: String { "/watch" }
    static var scopes: Scopes { ["orders:read"] }
}
private class Follow: Action<Void, AsyncStream<Int>>, GET, Scoped {
    static var path: String { "/follow" }
    static var scopes: Scopes { ["orders:read"] }
}
private class WatchAll: Action<Void, EventStream>, GET {
    static var path: String { "/watch-all" }
}

@Suite("Streams whose caller is checked again", .timeLimit(.minutes(5)))
struct WatchedStreamTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        Watch.self <~ { Self.events() }
        WatchAll.self <~ { Self.events() }
        Follow.self <~ {
            let source = Self.source()
            return AsyncStream { await source?.event().map { _ in 7 } }
        }
    }

    private static func events() -> EventStream {
        let source = source()
        return EventStream { await source?.event() }
    }

    /// The source of a caller's stream: the test's events, then a wait for another.
    private struct Source {
        /// Opened when the first event is asked for.
        let begun = Gate()
        private let events: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (events, continuation) = AsyncStream.makeStream() }

        func give() { continuation.yield() }

        func event() async -> ServerSentEvent? {
            begun.open()
            for await _ in events { return ServerSentEvent(data: "7") }
            return nil
        }
    }

    private static let sources = Locked<[String: Source]>([:])

    private static func source() -> Source? {
        let name = Caller.current?.name ?? ""
        return sources.withLock { $0[name] }
    }

    private func server() -> Server {
        var server = Server {
            Watch.self
            Follow.self
            WatchAll.self
        }
        server.configuration.dataFolder = folder["data"]
        return server
    }

    private func ask(_ target: String, _ token: String, _ site: Site) async throws -> String {
        let request =
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Authorization: Bearer \(token)\r\n\r\n"
        return String(decoding: try await exchange(request, port: site.port), as: UTF8.self)
    }

    @Test(
        "revoking a token ends its streams regularly and allows no new ones",
        arguments: ["/watch", "/follow"]
    )
    func revoked(_ target: String) async throws {
        try await serving(server()) { site in
            let tokens = try #require(site.running.parts.administration?.tokens)
            let made = try await tokens.create(name: target, scopes: ["orders:read"])
            let source = Source()
            Self.sources.withLock { $0[target] = source }
            let answer = Task { try await ask(target, made.text, site) }
            await source.begun.pass()
            let isRevoked = try await tokens.revoke(made.record.id)
            #expect(isRevoked)
            // Events come and come, until the stream's verdict is old enough to be asked again.
            let giving = Task {
                while true {
                    source.give()
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            defer { giving.cancel() }
            let text = try await answer.value
            #expect(text.hasPrefix("HTTP/1.1 200 "))
            #expect(text.hasSuffix("\r\n0\r\n\r\n"), "whole")
            let again = try await ask(target, made.text, site)
            #expect(again.hasPrefix("HTTP/1.1 401 "))
        }
    }

    @Test("a check is valid for a second; a later piece needs another check")
    func verdicts() async throws {
        let (clock, mayGoOn) = (Locked(0), Locked(true))
        let stream = PermittedStream.make(
            ResponseStream(heartbeat: [0x3A]) { [0x37] },
            now: { clock.withLock { $0 } },
            while: { mayGoOn.withLock { $0 } }
        )
        let second = 1_000_000_000
        // The one at the first second is the last that finds the caller standing.
        for (time, stands, isSent) in [
            (0, true, true), (second - 1, false, true), (second, true, true),
            (2 * second - 1, false, true), (2 * second, false, false),
        ] {
            clock.withLock { $0 = time }
            mayGoOn.withLock { $0 = stands }
            let piece = try await stream.next()
            #expect(piece == (isSent ? [0x37] : nil), "\(time)")
        }
        #expect(stream.goesOn?() == false)
    }

    @Test("an expired token ends its streams, too")
    func expired() async throws {
        let clock = Locked(1_000_000)
        let tokens = TokenStore(Storage.of(folder["data"])) { clock.withLock { $0 } }
        let made = try await tokens.create(name: "ada", scopes: ["a"], lifetime: .seconds(60))
        let access = Access(scopes: ["a"], credentials: .init(tokens: tokens))
        let mayGoOn = try #require(try standing(access, made.text))
        #expect(mayGoOn())
        clock.withLock { $0 += 60 }
        #expect(!mayGoOn())
        // Who shows nothing has nothing that could end.
        #expect(try standing(access, "") == nil)
    }

    private func standing(_ access: Access, _ token: String) throws -> (@Sendable () -> Bool)? {
        let logger = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
        return Array(token.utf8).withUnsafeBufferPointer { token in
            access.standing(of: token.isEmpty ? .missing : .token(token), logger)
        }
    }

    @Test("an action without authentication checks no caller again")
    func open() throws {
        @ActionsBuilder var actions: [ExposedAction] { WatchAll.self }
        var problems: [String] = []
        let data = try DataFolder(folder["data"])
        let policies = PolicyFactory(
            administration: Administration(data.administration),
            idempotency: data.idempotency
        )
        #expect(policies.policy(of: actions[0], beside: [], &problems) == nil)
    }
}
