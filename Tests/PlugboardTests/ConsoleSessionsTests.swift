import HTTPServer
import HTTPSyntax
import Identity
import Locking
import Logging
import PlugHTTP
import Storage
import Testing

@testable import Plugboard

@Suite("The signed-in browsers of a server")
struct ConsoleSessionsTests {
    private let folder: TemporaryFolder
    private let tokens: TokenStore
    /// The time in seconds since 1970, and that of the monotonic clock.
    private let time = Locked((wall: 1_800_000_000, monotonic: 100))

    init() throws {
        folder = try TemporaryFolder()
        tokens = TokenStore(Storage.of(folder["data"])) { [time] in time.withLock { $0.wall } }
    }

    private func sessions(_ tokens: TokenStore?) -> ConsoleSessions {
        ConsoleSessions(
            tokens,
            scopes: ["admin", "photos:write"],
            clock: { [time] in time.withLock { $0.monotonic } },
            now: { [time] in time.withLock { $0.wall } }
        )
    }

    private func wait(seconds: Int) {
        time.withLock { $0 = ($0.wall + seconds, $0.monotonic + seconds) }
    }

    @Test("the link's session is the console's, with all scopes, for 12 hours")
    func console() throws {
        let sessions = sessions(nil)
        let secret = sessions.begin(.console)
        let standing = try #require(try sessions.standing(of: secret))
        #expect(standing.caller.id == "console")
        #expect(standing.caller.scopes == ["admin", "photos:write"])
        #expect(standing.end == 1_800_000_000 + 12 * 3_600)
        for _ in 0..<11 {
            wait(seconds: 3_600)
            #expect(try sessions.standing(of: secret) != nil)
        }
        wait(seconds: 3_599)
        #expect(try sessions.standing(of: secret) != nil)
        wait(seconds: 1)
        #expect(try sessions.standing(of: secret) == nil)
        #expect(sessions.count == 0)
    }

    @Test("a session ends after two idle hours")
    func idle() throws {
        let sessions = sessions(nil)
        let secret = sessions.begin(.console)
        wait(seconds: 7_199)
        #expect(try sessions.standing(of: secret) != nil)
        wait(seconds: 7_200)
        #expect(try sessions.standing(of: secret) == nil)
    }

    @Test("a change of the machine's time neither prolongs nor ends a session")
    func changedTime() throws {
        let sessions = sessions(nil)
        let secret = sessions.begin(.console)
        for change in [-1_000_000, 3_000_000] {
            time.withLock { $0.wall += change }
            let standing = try #require(try sessions.standing(of: secret))
            #expect(standing.end == time.withLock { $0.wall } + 12 * 3_600)
        }
        time.withLock { $0 = (1_800_000_000, $0.monotonic + 7_200) }
        #expect(try sessions.standing(of: secret) == nil)
    }

    @Test("the checks of an open stream aren't use")
    func checks() throws {
        let sessions = sessions(nil)
        let secret = sessions.begin(.console)
        wait(seconds: 7_199)
        #expect(try sessions.standing(of: secret, isUse: false) != nil)
        wait(seconds: 1)
        #expect(try sessions.standing(of: secret, isUse: false) == nil)
    }

    @Test("an open stream's session becomes idle, and its request is the last use")
    func stream() throws {
        let sessions = sessions(nil)
        let secret = sessions.begin(.console)
        let credentials = Access.Credentials(sessions: sessions.authenticator)
        let access = Access(scopes: ["admin"], credentials: credentials)
        let lines = [
            "GET /watch HTTP/1.1", "Host: a", "Cookie: plugboard-session-80=\(secret)",
            "Sec-Fetch-Site: same-origin", "", "",
        ]
        let parser = RequestParser(limits: HeadLimits())
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let standing = Array(lines.joined(separator: "\r\n").utf8).withUnsafeBufferPointer {
            _ = parser.parse($0)
            let request = Request(IncomingRequest(parser.headPlace, from: .unknown))
            return access.standing(of: request, logger)
        }
        let mayCall = try #require(standing)
        wait(seconds: 7_199)
        #expect(mayCall())
        wait(seconds: 1)
        #expect(!mayCall())
    }

    @Test("sessions are listed without secrets, and end by their numbers")
    func list() async throws {
        let sessions = sessions(tokens)
        let made = try await tokens.create(name: "ada", scopes: ["photos:read"])
        let console = sessions.begin(.console, from: IPAddress(ipv4: 0xC000_0207))
        wait(seconds: 60)
        let token = try #require(try sessions.verify(made.text))
        let ada = sessions.begin(.token(token))
        let list = try sessions.list(for: ["x", console])
        #expect(list.map(\.name) == ["ada", "console"])
        #expect(list.map(\.caller) == [made.record.id, "console"])
        #expect(list.map(\.address) == [nil, "192.0.2.7"])
        #expect(list.map(\.isCurrent) == [false, true])
        #expect(list.map(\.began) == ["2027-01-15T08:01:00Z", "2027-01-15T08:00:00Z"])
        #expect(list.map(\.used) == list.map(\.began))
        #expect(list[1].expires == "2027-01-15T20:00:00Z")
        #expect(sessions.end(id: list[0].id) == made.record.id)
        #expect(sessions.end(id: list[0].id) == nil)
        #expect(try sessions.standing(of: ada) == nil)
        #expect(try sessions.list(for: []).map(\.name) == ["console"])
        wait(seconds: 7_200)
        #expect(try sessions.list(for: []) == [])
    }

    @Test("signing out ends one session")
    func end() throws {
        let sessions = sessions(nil)
        let (one, other) = (sessions.begin(.console), sessions.begin(.console))
        sessions.end(one)
        sessions.end("unknown")
        #expect(try sessions.standing(of: one) == nil)
        #expect(try sessions.standing(of: other) != nil)
    }

    @Test("another server's secret, and any other text, has no session")
    func foreign() throws {
        let sessions = sessions(nil)
        let secret = self.sessions(nil).begin(.console)
        _ = sessions.begin(.console)
        for text in [secret, "", "console", String(repeating: "A", count: 10_000)] {
            #expect(try sessions.standing(of: text) == nil)
        }
    }

    @Test("a token's session has the token's caller, scopes and end")
    func token() async throws {
        let sessions = sessions(tokens)
        let made = try await tokens.create(
            name: "ada",
            scopes: ["photos:read"],
            lifetime: .seconds(3_600)
        )
        let token = try #require(try sessions.verify(made.text))
        let standing = try #require(try sessions.standing(of: sessions.begin(.token(token))))
        #expect(standing.caller.id == made.record.id && standing.caller.name == "ada")
        #expect(standing.caller.scopes == ["photos:read"])
        #expect(standing.end == made.record.expires)
    }

    @Test("a token's revocation, rotation and expiry end its sessions at once, and no other's")
    func revocation() async throws {
        let sessions = sessions(tokens)
        var secrets: [String] = []
        var ids: [String] = []
        for _ in 0..<4 {
            let made = try await tokens.create(
                name: "",
                scopes: ["photos:read"],
                lifetime: .seconds(3_600)
            )
            let token = try #require(try sessions.verify(made.text))
            secrets.append(sessions.begin(.token(token)))
            ids.append(made.record.id)
        }
        func valid() throws -> [Bool] { try secrets.map { try sessions.standing(of: $0) != nil } }
        #expect(try valid() == [true, true, true, true])
        _ = try await tokens.revoke(ids[0])
        #expect(try valid() == [false, true, true, true])
        _ = try await tokens.rotate(ids[1])
        #expect(try valid() == [false, false, true, true])
        #expect(sessions.count == 2)
        wait(seconds: 3_600)
        #expect(try valid() == [false, false, false, false])
    }

    @Test(
        "a text that isn't a valid token begins no session",
        arguments: [
            "", "plug_", "plug_000000000000_" + String(repeating: "0", count: 64), "a\r\nb",
        ]
    )
    func invalid(text: String) throws {
        #expect(try sessions(tokens).verify(text) == nil)
        #expect(try sessions(nil).verify(text) == nil)
    }

    @Test("beyond the limit the longest unused session ends, after those that ended anyway")
    func limit() throws {
        let sessions = sessions(nil)
        let first = sessions.begin(.console)
        let second = sessions.begin(.console)
        wait(seconds: 1)
        _ = try sessions.standing(of: first)
        for _ in 2..<ConsoleSessions.limit { _ = sessions.begin(.console) }
        #expect(sessions.count == ConsoleSessions.limit)
        _ = sessions.begin(.console)
        #expect(sessions.count == ConsoleSessions.limit)
        #expect(try sessions.standing(of: first) != nil)
        #expect(try sessions.standing(of: second) == nil)
        wait(seconds: 7_200)
        _ = sessions.begin(.console)
        #expect(sessions.count == 1)
    }

    @Test("the sign-ins of one token end its own longest unused session only")
    func limitPerToken() async throws {
        let sessions = sessions(tokens)
        let console = sessions.begin(.console)
        let made = try await tokens.create(name: "ada", scopes: ["photos:read"])
        let token = try #require(try sessions.verify(made.text))
        let first = sessions.begin(.token(token))
        wait(seconds: 1)
        for _ in 0..<ConsoleSessions.limitPerToken { _ = sessions.begin(.token(token)) }
        #expect(sessions.count == 1 + ConsoleSessions.limitPerToken)
        #expect(try sessions.standing(of: first) == nil)
        #expect(try sessions.standing(of: console) != nil)
    }

    @Test("the cookie is hidden from scripts, has the port in its name, and the host over TLS")
    func cookie() throws {
        func cookie(_ host: String, _ scheme: Scheme = .http) throws -> SessionCookie {
            let parser = RequestParser(limits: HeadLimits(), scheme: scheme)
            return try Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
                .withUnsafeBufferPointer { bytes in
                    guard case .complete = parser.parse(bytes) else {
                        throw HarnessError("no head")
                    }
                    return SessionCookie(of: parser.head)
                }
        }
        #expect(
            try cookie("a:8080").field(storing: "x", fromTLS: false)
                == "plugboard-session-8080=x; HttpOnly; SameSite=Strict; Path=/"
        )
        #expect(try cookie("a").field(storing: "x", fromTLS: true).hasSuffix("; Path=/; Secure"))
        let secure = try cookie("a", .https)
        #expect(
            secure.field(storing: "x", fromTLS: false)
                == "__Host-plugboard-session-443=x; HttpOnly; SameSite=Strict; Path=/; Secure"
        )
        #expect(secure.removal.hasPrefix("__Host-plugboard-session-443=; Max-Age=0; "))
        let names = try ["a", "a:80", "[::1]", "[::1]:8081", "127.0.0.1:1"].map {
            try cookie($0).name
        }
        #expect(names == ["80", "80", "80", "8081", "1"].map { "plugboard-session-\($0)" })
    }
}
