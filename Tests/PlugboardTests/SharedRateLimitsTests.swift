import Eventually
import Foundation
import HTTPSyntax
import JSONCodec
import Locking
import Logging
import Plug
import PlugHTTP
import PostgreSQL
import TestLog
import Testing

@testable import Plugboard

private class Scarce: Action<Void, String>, GET, RateLimited {
    static var path: String { "/scarce" }
    static var rateLimit: RateLimit { RateLimit(10, seconds: 3600) }
}
private class Plain: Action<Void, String>, GET { static var path: String { "/plain" } }

/// The PostgreSQL that `Tests/run` has started for the tests; nil where there is none.
private let database = ProcessInfo.processInfo.environment["PLUGBOARD_TEST_DATABASE"]

@Suite(
    "Rate limits that servers share",
    .enabled(if: database != nil, "Tests/run starts a PostgreSQL, where one is installed"),
    .timeLimit(.minutes(5))
)
struct SharedRateLimitsTests {
    /// The URL of a new namespace in the database.
    private static func place() throws -> String {
        let name = "limits_" + UUID().uuidString.replacing("-", with: "_").lowercased()
        let url = try #require(database) + "&options=-csearch_path%3D\(name)"
        let client = try client(url)
        // A name can't be a parameter.
        let statement = SQLStatement(stringLiteral: "CREATE SCHEMA \(name)")
        try client.now { _ = try await client.run(statement) }
        return url
    }

    private static func client(_ url: String) throws -> PostgreSQLClient {
        // A loaded machine's patience.
        let configuration = SharedRateLimits.configuration(patience: .seconds(60))
        return try PostgreSQLClient(PostgreSQLAddress(url), configuration)
    }

    private static func limits(
        _ url: String,
        atMost count: Int = 1000,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        clock: @escaping @Sendable () -> Int = RequestSubject.now
    ) throws -> SharedRateLimits {
        SharedRateLimits(try client(url), atMost: count, logger: logger, clock: clock)
    }

    private static func count(
        _ limit: RateLimit,
        _ key: RateLimiter.Key = .nobody,
        name: String = "server"
    ) -> SharedRateLimits.Count {
        SharedRateLimits.Count(name: name, limit: limit, key: key)
    }

    private static func caller(_ name: String) -> RateLimiter.Key {
        .caller(ExactName(text: name))
    }

    private static func server(_ url: String) -> Server {
        var server = Server {
            Scarce.self
            Plain.self
        }
        server.configuration.documents = .postgreSQL(url)
        server.configuration.sharesRateLimits = true
        server.configuration.rateLimitPatience = .seconds(60)
        return server
    }

    @Test("of 40 concurrent calls to two servers exactly 10 pass, if that is the quota")
    func servers() async throws {
        Scarce.self <~ { "here" }
        Plain.self <~ { "plain" }
        let url = try Self.place()
        try await serving(Self.server(url)) { one in
            try await serving(Self.server(url)) { other in
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<40 {
                        group.addTask {
                            try await (number.isMultiple(of: 2) ? one : other).get("/scarce").status
                        }
                    }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(statuses.count { $0 == 200 } == 10)
                #expect(statuses.count { $0 == 429 } == 30)
                let rejected = try await other.get("/scarce")
                #expect(rejected["RateLimit"]?.hasPrefix(#""action";r=0;t=3"#) == true)
                #expect(rejected["Retry-After"].flatMap(Int.init).map { $0 > 3000 } == true)
                let plain = try await other.get("/plain")
                #expect(plain.status == 200)
                #expect(plain["RateLimit"] == nil)
            }
        }
    }

    @Test("each limit, caller and address has its own count, over all servers")
    func keys() async throws {
        let url = try Self.place()
        let (one, other) = (try Self.limits(url), try Self.limits(url))
        let limit = RateLimit(2, seconds: 3600)
        let address = RateLimiter.Key.address(IPAddress(ipv4: 0xC000_0207))
        for key in [Self.caller("ada"), Self.caller("ad\u{0}a"), address, .nobody] {
            for name in ["server", "action A"] {
                let count = Self.count(limit, key, name: name)
                let first = try #require(await one.take([count])?.first ?? nil)
                #expect(first == .init(isWithin: true, remaining: 1, reset: 3600))
                let second = try #require(await other.take([count])?.first ?? nil)
                #expect(second.isWithin && second.remaining == 0 && second.reset > 3500)
                let third = try #require(await one.take([count])?.first ?? nil)
                #expect(!third.isWithin && third.remaining == 0 && third.reset > 3500)
            }
        }
    }

    @Test("two limits are counted together, and an exhausted one is known without a statement")
    func several() async throws {
        let limits = try Self.limits(try Self.place())
        let counts = [
            Self.count(RateLimit(5, seconds: 3600), name: "action A"),
            Self.count(RateLimit(2, seconds: 3600)),
        ]
        #expect(limits.exhausted(counts) == nil)
        let first = try #require(await limits.take(counts))
        #expect(first.map { $0?.remaining } == [4, 1])
        let second = try #require(await limits.take(counts))
        #expect(second.map { $0?.remaining } == [3, 0])
        #expect(second.map { $0?.isWithin } == [true, true])
        let known = try #require(limits.exhausted(counts))
        #expect(known.map { $0?.isWithin } == [nil, false])
        let third = try #require(await limits.take(counts))
        #expect(third.map { $0?.isWithin } == [nil, false])
    }

    @Test("a window ends by the database's clock, and the quota is full again")
    func windows() async throws {
        let limits = try Self.limits(try Self.place())
        let count = Self.count(RateLimit(1, seconds: 1))
        #expect(await limits.take([count])?.first??.isWithin == true)
        try await eventually("the window ends") {
            await limits.take([count])?.first??.isWithin == true
        }
    }

    @Test("expired windows are removed, and beyond the limit those that end first")
    func sweep() async throws {
        let url = try Self.place()
        let limits = try Self.limits(url, atMost: 20)
        let client = try Self.client(url)
        func rows() async throws -> Int {
            let rows = try await client.run("SELECT count(*) AS count FROM plugboard_rate_limit")
            return try #require(rows.first).get("count")
        }
        for number in 0..<30 {
            let limit = RateLimit(1, seconds: 1000 + number)
            _ = await limits.take([Self.count(limit, Self.caller("\(number)"))])
        }
        for number in 0..<5 {
            _ = await limits.take([
                Self.count(RateLimit(1, seconds: 1), Self.caller("old \(number)"))
            ])
        }
        #expect(try await rows() == 35)
        try await eventually("the expired windows are removed") {
            try await limits.sweep()
            return try await rows() == 20
        }
        let fresh = try Self.limits(url)
        func isWithin(_ number: Int) async throws -> Bool {
            let limit = RateLimit(1, seconds: 1000 + number)
            let count = Self.count(limit, Self.caller("\(number)"))
            return try #require(await fresh.take([count])?.first ?? nil).isWithin
        }
        #expect(try await !isWithin(29))
        #expect(try await isWithin(0))
    }

    @Test("without the database each server counts alone, and says so once")
    func unavailable() async throws {
        let log = Journal()
        let now = Locked(0)
        var configuration = SharedRateLimits.configuration(patience: .milliseconds(200))
        configuration.maximumPause = .milliseconds(1)
        // Nothing listens at this port of this machine.
        let address = try PostgreSQLAddress("postgres://a:b@127.0.0.1:1/c")
        let shared = SharedRateLimits(
            try PostgreSQLClient(address, configuration),
            logger: log.logger,
            clock: { now.withLock { $0 } }
        )
        let limiter = RateLimiter("server", RateLimit(2, seconds: 3600))
        let limits = try #require(RateLimits([limiter], named: ["server"], sharedIn: shared))
        for remaining in [1, 0] {
            let fields = try await limits.takeShared(.nobody)
            let text = String(decoding: fields.lines, as: UTF8.self)
            #expect(text.contains(#""server";r=\#(remaining);t="#))
            now.withLock { $0 += 2_000_000_000 }
        }
        await #expect(throws: RateLimits.Exceeded.self) { try await limits.takeShared(.nobody) }
        #expect(limits.rejected == 1)
        let warnings = log.lines.filter { $0.contains("each server counts alone") }
        #expect(warnings.count == 1)
    }

    @Test("a call waits for a slow database only for its patience, and shares its count later")
    func slow() async throws {
        let url = try Self.place()
        let count = Self.count(RateLimit(1000, seconds: 3600))
        _ = try await Self.limits(url).take([count])
        let (log, now) = (Journal(), Locked(0))
        let settings = SharedRateLimits.configuration(patience: .milliseconds(200))
        let hasty = SharedRateLimits(
            try PostgreSQLClient(PostgreSQLAddress(url), settings),
            logger: log.logger,
            clock: { now.withLock { $0 } }
        )
        try await Self.client(url).transaction(.readCommitted) { transaction in
            try await transaction.run("LOCK TABLE plugboard_rate_limit")
            let standings = await hasty.take([count])
            #expect(standings == nil)
        }
        // It doesn't ask again within the pause.
        #expect(await hasty.take([count]) == nil)
        try await eventually("the database responds in time") {
            now.withLock { $0 += 2_000_000_000 }
            return await hasty.take([count]) != nil
        }
        #expect(log.lines.count { $0.contains("each server counts alone") } == 1)
        #expect(log.lines.count { $0.contains("share their counts again") } == 1)
    }

    @Test("the option needs a database")
    func options() async throws {
        var server = Server { Plain.self }
        Plain.self <~ { "plain" }
        server.configuration.sharesRateLimits = true
        #expect(server.clientProblems == ["shared rate limits need a PostgreSQL database: name it"])
        server.configuration.documents = .folder("documents")
        #expect(server.clientProblems == ["shared rate limits need a PostgreSQL database: name it"])
        server.configuration.documents = .postgreSQL("postgres://a@b/c")
        #expect(server.clientProblems == [])
    }
}
