import Locking
import Testing

@testable import PostgreSQL

@Suite("PostgreSQL client", .withDatabase)
struct PostgreSQLClientTests {
    @Test("an error in a transaction rolls it back")
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

    @Test("conflicting transactions are retried, and all succeed")
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

    @Test("blocking calls succeed on more tasks than Swift has threads")
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
}
