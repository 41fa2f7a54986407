import Eventually
import Glibc
import Testing

@testable import PostgreSQL

@Suite("Connections of a PostgreSQL client", .withDatabase)
struct ConnectionPoolTests {
    @Test("the connection limit holds, and waiting callers are served")
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

    @Test("of many concurrent calls, some cancelled or disconnected, all others are served")
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
                    // Without the pause, the statement can succeed before its connection ends.
                    _ = try? await client.run(
                        "SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(600)"
                    )
                }
            }
            for _ in 0..<50 { group.addTask { try await client.run("SELECT 1") } }
            try await group.waitForAll()
        }
    }

    @Test("the timeout error for a connection says that all are in use")
    func exhausted() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.connections = 1
        configuration.placeTimeout = .milliseconds(20)
        let opener = ConnectionOpener(
            try TestDatabase.address(),
            configuration,
            clock: DatabaseClock(),
            loop: try .shared()
        )
        let pool = ConnectionPool(opener, configuration)
        let connection = try await pool.take()
        let error = await #expect(throws: PostgreSQLError.self) { _ = try await pool.take() }
        #expect(error?.kind == .unavailable)
        #expect(pool.counts == PoolCounts(inUse: 1))
        await pool.give(connection)
        #expect(pool.counts == PoolCounts(idle: 1))
        await pool.give(try await pool.take())
    }

    @Test("a connection that the server closed while idle isn't reused")
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

    @Test("a failure to connect has a reason, and repeats without a retry during the pause")
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
}
