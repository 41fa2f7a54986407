import Eventually
import Glibc
import Testing

@testable import PostgreSQL

@Suite("PostgreSQL connection", .withDatabase)
struct PostgreSQLConnectionTests {
    @Test(
        "the error of a rejected statement has its SQLSTATE and none of its values"
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

    @Test("a connection lost during a statement is unavailable, and is reopened")
    func loss() async throws {
        let client = try TestDatabase.client()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await client.run("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(600)")
        }
        #expect(error?.kind == .unavailable)
        try await client.run("SELECT 1")
    }

    @Test("the server cancels a statement that takes too long, and the connection continues")
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

    @Test("a cancelled task ends at once, and the server cancels its statement")
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

    @Test("a server that accepts but doesn't respond causes a timeout")
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
}
