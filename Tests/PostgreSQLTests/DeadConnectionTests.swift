import Eventually
import Glibc
import Testing

@testable import PostgreSQL

/// Connections that pass no bytes any more, although neither end has closed them.
@Suite("Dead connections of PostgreSQL", .withDatabase)
struct DeadConnectionTests {
    /// The longest time in which a loss is noticed, and in which a client works again.
    ///
    /// Without the checks it would be much longer. Other tests run meanwhile, so the times
    /// themselves, 10 and 3 seconds, are tested end to end.
    private static let limit = Duration.seconds(60)
    private static let healing = limit

    private func failure(
        _ client: PostgreSQLClient,
        _ statement: SQLStatement = "SELECT 1"
    ) async -> (error: PostgreSQLError?, time: Duration) {
        let begin = ContinuousClock.now
        let error = await #expect(throws: PostgreSQLError.self) { try await client.run(statement) }
        return (error, begin.duration(to: .now))
    }

    private func heals(_ client: PostgreSQLClient) async throws {
        let begin = ContinuousClock.now
        try await eventually("the client works again") {
            (try? await client.run("SELECT 1")) != nil
        }
        #expect(begin.duration(to: .now) < Self.healing)
    }

    @Test(
        "an idle connection that died is noticed in time; later calls fail at once, until it heals"
    )
    func idle() async throws {
        let (relay, address) = try TestDatabase.relay()
        defer { relay.end() }
        var configuration = PostgreSQLConfiguration()
        configuration.idleTimeout = .zero
        let client = try PostgreSQLClient(address, configuration)
        try await client.run("SELECT 1")
        relay.pass(false)
        let first = await failure(client)
        #expect(first.error?.kind == .unavailable)
        #expect(first.time < Self.limit)
        let second = await failure(client)
        #expect(second.error?.kind == .unavailable)
        #expect(second.time < Self.limit)
        relay.pass(true)
        try await heals(client)
    }

    @Test("a statement that runs as the database disappears fails in time")
    func busy() async throws {
        let (relay, address) = try TestDatabase.relay("application_name=sleeps")
        defer { relay.end() }
        var configuration = PostgreSQLConfiguration()
        configuration.statementTimeout = .seconds(600)
        let client = try PostgreSQLClient(address, configuration)
        let other = try TestDatabase.client()
        async let failed = failure(client, "SELECT pg_sleep(600)")
        try await eventually("the statement runs") {
            try await other.run(
                """
                SELECT 1 FROM pg_stat_activity WHERE application_name = 'sleeps'
                    AND state = 'active' AND wait_event = 'PgSleep'
                """
            ).count == 1
        }
        let begin = ContinuousClock.now
        relay.pass(false)
        #expect(await failed.error?.kind == .unavailable)
        #expect(begin.duration(to: .now) < Self.limit)
        relay.pass(true)
        try await heals(client)
        try await other.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'sleeps'
            """
        )
    }

    @Test("a slow statement of an available database isn't interrupted")
    func slow() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.silenceTimeout = .milliseconds(20)
        let client = try TestDatabase.client(configuration)
        let rows = try await client.run("SELECT pg_sleep(0.3), 7 AS number")
        #expect(try rows.first?.get("number") == 7)
    }

    @Test("another connection replaces an idle one whose process is frozen")
    func frozenProcess() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.idleTimeout = .zero
        let client = try TestDatabase.client(configuration)
        let process = try await Self.process(client)
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        let begin = ContinuousClock.now
        let other = try await Self.process(client)
        #expect(other != process)
        #expect(begin.duration(to: .now) < Self.limit)
    }

    @Test("a statement of a frozen process fails in time")
    func frozenStatement() async throws {
        let client = try TestDatabase.client(PostgreSQLConfiguration())
        let process = try await Self.process(client)
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        let failed = await failure(client)
        #expect(failed.error?.kind == .unavailable)
        #expect(failed.time < Self.limit)
        #expect(try await Self.process(client) != process)
    }

    private static func process(_ client: PostgreSQLClient) async throws -> pid_t {
        let rows = try await client.run("SELECT pg_backend_pid() AS process")
        let process: Int = try #require(try rows.first?.get("process"))
        return pid_t(process)
    }

    @Test("the reader of notifications learns of the loss in time, and of its end")
    func notifications() async throws {
        let (relay, address) = try TestDatabase.relay()
        defer { relay.end() }
        let client = try PostgreSQLClient(address)
        let other = try TestDatabase.client()
        var events = try client.notifications(on: "plugboard_dead").makeAsyncIterator()
        #expect(await events.next() == .listening)
        var begin = ContinuousClock.now
        relay.pass(false)
        guard case .lost = await events.next() else {
            Issue.record("the loss isn't reported")
            return
        }
        #expect(begin.duration(to: .now) < Self.limit)
        begin = .now
        relay.pass(true)
        while let event = await events.next(), event != .listening {}
        #expect(begin.duration(to: .now) < Self.healing)
        try await other.run("SELECT pg_notify('plugboard_dead', 'again')")
        #expect(await events.next() == .notified("again"))
    }

    @Test("while the database is lost, a new reader of notifications learns of it")
    func lateReader() async throws {
        let (relay, address) = try TestDatabase.relay()
        defer { relay.end() }
        relay.pass(false)
        let client = try PostgreSQLClient(address)
        _ = await failure(client)
        var events = try client.notifications(on: "plugboard_late").makeAsyncIterator()
        guard case .lost = await events.next() else {
            Issue.record("the loss isn't reported")
            return
        }
        relay.pass(true)
        #expect(await events.next() == .listening)
    }

    @Test("a transaction uses another connection if the first one ended before it began")
    func transaction() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.connections = 1
        let client = try TestDatabase.client(configuration)
        let other = try TestDatabase.client()
        for _ in 0..<20 {
            let process = Int(try await Self.process(client))
            try await other.run("SELECT pg_terminate_backend(\(process)::int)")
            // The end may arrive before, during or after BEGIN is sent.
            let rows = try await client.transaction { try await $0.run("SELECT 7 AS number") }
            #expect(try rows.first?.get("number") == 7)
        }
    }

    @Test("a read uses another connection if the first one ends")
    func read() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.connections = 1
        let client = try TestDatabase.client(configuration)
        let other = try TestDatabase.client()
        for _ in 0..<20 {
            let process = Int(try await Self.process(client))
            try await other.run("SELECT pg_terminate_backend(\(process)::int)")
            let rows = try await client.read("SELECT 7 AS number")
            #expect(try rows.first?.get("number") == 7)
        }
    }

    // MARK: Several hosts

    @Test("the next host is used if the first one doesn't respond")
    func silentHost() async throws {
        let (first, second) = (
            try TestRelay(folder: TestDatabase.folder()),
            try TestRelay(folder: TestDatabase.folder())
        )
        defer {
            first.end()
            second.end()
        }
        let hosts = "127.0.0.1:\(first.port),127.0.0.1:\(second.port)"
        let address = try TestDatabase.address(hosts: hosts, "target_session_attrs=read-write")
        var configuration = PostgreSQLConfiguration()
        configuration.idleTimeout = .zero
        let client = try PostgreSQLClient(address, configuration)
        first.pass(false)
        try await client.run("SELECT 1")
        // A failover in the other direction.
        second.pass(false)
        first.pass(true)
        let begin = ContinuousClock.now
        try await client.run("SELECT 1")
        #expect(begin.duration(to: .now) < Self.limit)
    }

    @Test(
        "a connection that becomes read-only isn't reused: another host may be the primary server"
    )
    func readOnly() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.connections = 1
        let client = try TestDatabase.client(configuration)
        let process = try await Self.process(client)
        try await client.run("SELECT set_config('default_transaction_read_only', 'on', false)")
        let failed = await failure(client, "CREATE TABLE demoted (number bigint)")
        #expect(failed.error?.kind == .unavailable)
        #expect(try await Self.process(client) != process)
    }
}
