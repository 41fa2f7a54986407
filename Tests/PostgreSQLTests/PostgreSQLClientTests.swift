import Eventually
import Glibc
import Locking
import Testing

@testable import PostgreSQL

@Suite("A client of a PostgreSQL", .withDatabase)
struct PostgreSQLClientTests {
    @Test("values come back as they went, and what looks like SQL stays a text")
    func values() async throws {
        let client = try TestDatabase.client()
        let text = "x'; DROP TABLE \"α\"; -- $1 \\"
        let bytes = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let rows = try await client.run(
            """
            SELECT \(text)::text AS text, \(Int.min) AS least, 7::smallint AS small, \(true) AS yes,
                \(bytes) AS bytes, \([UInt8]()) AS none, \(0.1) AS tenth, \(String?.none)::text AS null
            """
        )
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(try row.get("text") == text)
        #expect(try row.get("least") == Int.min)
        #expect(try row.get("small") == 7)
        #expect(try row.get("yes") == true)
        #expect(try row.get("bytes") == bytes)
        #expect(try row.get("none") == [UInt8]())
        #expect(try row.get("tenth") == 0.1)
        #expect(try row.get("null") == String?.none)
        #expect(throws: PostgreSQLError.self) { try row.get("null", as: String.self) }
        #expect(throws: PostgreSQLError.self) { try row.get("text", as: Int.self) }
        #expect(throws: PostgreSQLError.self) { try row.get("nothing", as: Int.self) }
    }

    @Test("a column of a type that isn't understood is an error, not bytes")
    func unknownType() async throws {
        let client = try TestDatabase.client()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await client.run("SELECT now() AS moment")
        }
        #expect(error?.kind == .misuse)
        #expect(error?.message.contains("moment") == true)
        try await client.run("SELECT 1")
    }

    @Test(
        "a rejected statement has its SQLSTATE and no values in the error"
    )
    func refused() async throws {
        let client = try TestDatabase.client()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await client.run("SELECT (\("s3cret") || 'x')::text::bytea, 1 / \(0)")
        }
        #expect(error?.kind == .refused)
        #expect(error?.state == "22012")
        #expect(error?.description.contains("s3cret") == false)
        let rows = try await client.run("SELECT 1 AS one")
        #expect(try rows.first?.get("one") == 1)
    }

    @Test("what a transaction throws takes back what it did")
    func rollback() async throws {
        struct Regret: Error {}
        let client = try TestDatabase.client()
        try await client.run("CREATE TABLE regret (n int)")
        await #expect(throws: Regret.self) {
            try await client.transaction { transaction in
                try await transaction.run("INSERT INTO regret VALUES (\(1))")
                throw Regret()
            }
        }
        let rows = try await client.run("SELECT n FROM regret")
        #expect(rows.isEmpty)
        try await client.run("DROP TABLE regret")
    }

    @Test("conflicting transactions are retried, and none is lost")
    func conflicts() async throws {
        let client = try TestDatabase.client()
        try await client.run("CREATE TABLE tally (n int)")
        try await client.run("INSERT INTO tally VALUES (0)")
        let runs = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<5 {
                        try await client.transaction { transaction in
                            runs.withLock { $0 += 1 }
                            let n: Int =
                                try await transaction.run("SELECT n FROM tally").first?.get("n")
                                ?? 0
                            try await transaction.run("UPDATE tally SET n = \(n + 1)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try await client.run("SELECT n FROM tally")
        #expect(try rows.first?.get("n") == 15)
        #expect(runs.withLock { $0 } >= 15)
        try await client.run("DROP TABLE tally")
    }

    @Test("a thread may be held up until something is done, be it one of Swift's own")
    func now() async throws {
        let client = try TestDatabase.client()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            // More than Swift has threads.
            for number in 0..<16 {
                group.addTask {
                    try client.now {
                        let rows = try await client.run("SELECT \(number) AS n")
                        return try rows.first?.get("n") ?? -1
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 120)
        #expect(throws: PostgreSQLError.self) {
            try client.now { _ = try await client.run("SELEC") }
        }
    }

    @Test("there are no more connections than were asked for, and nobody is turned away meanwhile")
    func bounded() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.connections = 2
        configuration.placeTimeout = .seconds(60)
        let client = try TestDatabase.client(configuration)
        let servers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let rows = try await client.run(
                        "SELECT pg_backend_pid() AS server, pg_sleep(0.005)"
                    )
                    return try #require(try rows.first?.get("server"))
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect((1...2).contains(servers.count))
    }

    @Test("of many at once, of which some give up and some are cut off, everybody has a turn")
    func turns() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.connections = 2
        configuration.placeTimeout = .seconds(120)
        configuration.statementTimeout = .seconds(600)
        let client = try TestDatabase.client(configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    let task = Task { try await client.run("SELECT pg_sleep(600)") }
                    // A turn passes, or none: it gives up in the line, or amid its statement.
                    if Bool.random() { try await client.run("SELECT 1") }
                    task.cancel()
                    let result = await task.result
                    #expect(throws: PostgreSQLError.self) { try result.get() }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    _ = try? await client.run("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            for _ in 0..<50 { group.addTask { try await client.run("SELECT 1") } }
            try await group.waitForAll()
        }
    }

    @Test("the error after a wait for a connection says that all are in use")
    func exhausted() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.connections = 1
        configuration.placeTimeout = .milliseconds(20)
        let pool = ConnectionPool(try TestDatabase.address(), configuration, loop: try .shared())
        let connection = try await pool.take()
        let error = await #expect(throws: PostgreSQLError.self) { _ = try await pool.take() }
        #expect(error?.kind == .unavailable)
        await pool.give(connection)
        await pool.give(try await pool.take())
    }

    @Test("a connection that the server has ended while it was idle isn't used again")
    func idleLoss() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.connections = 1
        let client = try TestDatabase.client(configuration)
        let other = try TestDatabase.client()
        let server: Int = try #require(
            try await client.run("SELECT pg_backend_pid() AS server").first?.get("server")
        )
        try await other.run("SELECT pg_terminate_backend(\(server)::int)")
        // Its process has closed the connection when it is gone.
        try await eventually("its process is gone") {
            kill(pid_t(server), 0) != 0 && errno == ESRCH
        }
        let next: Int = try #require(
            try await client.run("SELECT pg_backend_pid() AS server").first?.get("server")
        )
        #expect(next != server)
    }

    @Test("a connection lost within a statement is unavailable, and is opened again")
    func loss() async throws {
        let client = try TestDatabase.client()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await client.run("SELECT pg_terminate_backend(pg_backend_pid())")
        }
        #expect(error?.kind == .unavailable)
        try await client.run("SELECT 1")
    }

    @Test("a statement that takes too long is given up by the server, and the connection goes on")
    func timeout() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.statementTimeout = .milliseconds(50)
        configuration.networkTimeout = .seconds(60)
        let client = try TestDatabase.client(configuration)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await client.run("SELECT pg_sleep(600)")
        }
        #expect(error?.kind == .timedOut)
        #expect(error?.state == "57014")
        try await client.run("SELECT 1")
    }

    @Test("a task that is cancelled ends at once, and the server gives up what it worked at for it")
    func cancellation() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.statementTimeout = .seconds(600)
        let client = try TestDatabase.client(configuration)
        let other = try TestDatabase.client()
        @Sendable func isAsleep() async throws -> Bool {
            try await !other.run(
                """
                SELECT 1 AS n FROM pg_stat_activity
                WHERE state = 'active' AND query = 'SELECT pg_sleep(599)'
                """
            ).isEmpty
        }
        let task = Task { try await client.run("SELECT pg_sleep(599)") }
        try await eventually("the statement runs", isAsleep)
        task.cancel()
        let result = await task.result
        #expect(throws: PostgreSQLError.self) { try result.get() }
        try await eventually("the statement is given up") { try await !isAsleep() }
        try await client.run("SELECT 1")
    }

    @Test("a failure to connect has a reason, and repeats at once within the pause")
    func noServer() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.minimumPause = .seconds(3600)
        configuration.maximumPause = .seconds(3600)
        let address = try PostgreSQLAddress("postgres://ada:s3cret@/app?host=/nowhere/at/all")
        let client = try PostgreSQLClient(address, configuration)
        for _ in 0..<2 {
            let error = await #expect(throws: PostgreSQLError.self) {
                try await client.run("SELECT 1")
            }
            #expect(error?.kind == .unavailable)
            #expect(error?.message.contains("/nowhere/at/all") == true)
            #expect(error?.message.contains("s3cret") == false)
        }
    }

    @Test("the error of a wrong password doesn't contain it")
    func wrongPassword() async throws {
        let client = try TestDatabase.client(PostgreSQLConfiguration(), "&password=s3cret")
        let error = await #expect(throws: PostgreSQLError.self) { try await client.run("SELECT 1") }
        #expect(error?.kind == .unavailable)
        #expect(error?.message.contains("password authentication failed") == true)
        #expect(error?.message.contains("s3cret") == false)
    }

    @Test("a server that accepts and says nothing is given up in time")
    func silence() async throws {
        var template = Array("/tmp/plugboard-silence-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let path = folder + "/.s.PGSQL.5432"
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer {
            close(listener)
            unlink(path)
            rmdir(folder)
        }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0 && listen(listener, 1) == 0)
        var configuration = PostgreSQLConfiguration()
        configuration.connectTimeout = .milliseconds(50)
        let address = try PostgreSQLAddress("postgres://ada@/app?host=\(folder)")
        let client = try PostgreSQLClient(address, configuration)
        let error = await #expect(throws: PostgreSQLError.self) { try await client.run("SELECT 1") }
        #expect(error?.kind == .unavailable)
        #expect(error?.message == "the database doesn't respond")
    }

    @Test("notifications arrive, also after a loss of the connection")
    func notifications() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.heartbeat = .milliseconds(20)
        configuration.minimumPause = .milliseconds(10)
        let client = try TestDatabase.client(configuration, "&application_name=listens")
        let other = try TestDatabase.client()
        var heard = try client.notifications(on: "plugboard_test").makeAsyncIterator()
        for round in 1...3 {
            #expect(await heard.next() == .listening)
            try await other.run("SELECT pg_notify('plugboard_test', \("round \(round)"))")
            #expect(await heard.next() == .notified("round \(round)"))
            try await other.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = 'listens'
                """
            )
            guard case .lost = await heard.next() else {
                Issue.record("the loss isn't told")
                return
            }
        }
    }

    @Test("a channel's name is a name, and nothing else", arguments: ["", "a b", "a\"; --", "Ä"])
    func channels(_ name: String) throws {
        let client = try TestDatabase.client()
        #expect(throws: PostgreSQLError.self) { try client.notifications(on: name) }
    }
}
