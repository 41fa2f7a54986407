import Foundation
import GRDB
import Locking
import PostgreSQL
import Storage
import TestDatabase
import Testing

@testable import Plugboard

/// A store of responses for keys; each test of the records runs with all stores.
enum KeyPlace: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite
    case postgresql

    /// The available stores; `Tests/run` starts a PostgreSQL if one is installed.
    static let allCases: [KeyPlace] = database == nil ? [.sqlite] : [.sqlite, .postgresql]

    fileprivate static let database =
        ProcessInfo.processInfo.environment["PLUGBOARD_TEST_DATABASE"]

    var testDescription: String { rawValue }
}

/// A place of its own for a test's keys, which is gone when the test is over, and a clock that can be
/// put forward.
final class KeyStore: Sendable {
    private let place: KeyPlace
    private let folder: TemporaryFolder
    private let url: String
    private let seconds = Locked(0)
    private let stopped = Locked<ContinuousClock.Instant?>(nil)

    init(_ place: KeyPlace) throws {
        self.place = place
        folder = try TemporaryFolder()
        guard place == .postgresql else {
            url = ""
            return
        }
        let name = "keys_" + UUID().uuidString.replacing("-", with: "_").lowercased()
        url = try #require(KeyPlace.database) + "&options=-csearch_path%3D\(name)"
        let client = try client()
        // A name can't be a parameter.
        let statement = SQLStatement(stringLiteral: "CREATE SCHEMA \(name)")
        try client.now { _ = try await client.run(statement) }
    }

    private func client() throws -> PostgreSQLClient {
        try PostgreSQLClient(PostgreSQLAddress(url), .patient)
    }

    /// The records, as one server has them.
    func records(_ room: IdempotencyLimits = IdempotencyLimits()) throws -> any IdempotencyRecords {
        let later: @Sendable () -> Int = { [seconds, stopped] in
            let since = stopped.withLock { $0.map { ContinuousClock.now - $0 } } ?? .zero
            return seconds.withLock { $0 } - Int(since.components.seconds)
        }
        return switch place {
        case .sqlite: SQLiteIdempotency(Storage.of(folder["data"]), room: room, later: later)
        case .postgresql: PostgreSQLIdempotency(try client(), room: room, later: later)
        }
    }

    /// Puts the clock forward.
    func wait(_ seconds: Int) { self.seconds.withLock { $0 += seconds } }

    /// Stops the clock: on a loaded machine a claim may take longer than it holds.
    func stop() { stopped.withLock { $0 = .now } }

    /// Has a server keep its keys here.
    func keep(keysOf server: inout Server) {
        server.configuration.dataFolder = folder["data"]
        if place == .postgresql { server.configuration.documents = .postgreSQL(url) }
    }

    /// Makes the tables those of another version.
    func setVersion(_ version: Int) async throws {
        switch place {
        case .sqlite:
            let queue = try DatabaseQueue.beside(folder["data/" + Storage.fileName])
            try await queue.write { database in
                try database.execute(
                    sql: "UPDATE grdb_migrations SET identifier = 'idempotency ' || ?",
                    arguments: [version]
                )
            }
        case .postgresql:
            try await client().run("UPDATE plugboard_key_schema SET version = \(version)")
        }
    }

    /// The counted bytes of responses, of all origins.
    func bytes() async throws -> Int {
        switch place {
        case .sqlite:
            let queue = try DatabaseQueue.beside(folder["data/" + Storage.fileName])
            return try await queue.read { database in
                let sql = "SELECT sum(bytes) FROM idempotency_counts WHERE origin = ''"
                return try Int.fetchOne(database, sql: sql) ?? 0
            }
        case .postgresql:
            let rows = try await client().run(
                "SELECT sum(bytes)::bigint AS bytes FROM plugboard_key_count WHERE origin = ''"
            )
            return try rows.first?.get("bytes") ?? 0
        }
    }

    /// How many records and how many counts are kept.
    func sizes() async throws -> [Int] {
        switch place {
        case .sqlite:
            let queue = try DatabaseQueue.beside(folder["data/" + Storage.fileName])
            return try await queue.read { database in
                try ["idempotency", "idempotency_counts"].map {
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1
                }
            }
        case .postgresql:
            let client = try client()
            var sizes: [Int] = []
            for table in ["plugboard_key", "plugboard_key_count"] {
                let sql = SQLStatement(stringLiteral: "SELECT count(*) AS count FROM \(table)")
                sizes.append(try await client.run(sql).first?.get("count") ?? -1)
            }
            return sizes
        }
    }
}
