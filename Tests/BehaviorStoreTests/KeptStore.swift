import BehaviorStore
import Foundation
import GRDB
import Logging
import PostgreSQL
import Storage
import TestDatabase
import Testing

/// The kinds of stores: each test of the store runs with all of them.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite
    case postgresql
    case directory

    /// The kinds available here: `Tests/run` starts a PostgreSQL if one is installed.
    static let allCases: [StoreKind] =
        database == nil ? [.sqlite, .directory] : [.sqlite, .directory, .postgresql]

    /// The kinds that are edited by SQL.
    static let databases = allCases.filter { $0 != .directory }

    /// The address of the tests' PostgreSQL; nil where there is none.
    static let database = ProcessInfo.processInfo.environment["PLUGBOARD_TEST_DATABASE"]

    var testDescription: String { rawValue }
}

/// A store of its own for a test, which is gone when the test is over.
final class KeptStore: Sendable {
    let kind: StoreKind
    let folder = NSTemporaryDirectory() + "plugboard-store-\(UUID().uuidString)"
    private let client: PostgreSQLClient?

    init(_ kind: StoreKind) throws {
        self.kind = kind
        client = kind == .postgresql ? try Self.makeClient() : nil
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Makes the store of its documents.
    func backend() throws -> any BehaviorBackend {
        switch kind {
        case .sqlite: SQLiteBehaviors(Storage.of(folder))
        case .postgresql: try postgresql()
        case .directory: DirectoryBehaviors(folder, logger: Self.quiet)
        }
    }

    static let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }

    func postgresql() throws -> PostgreSQLBehaviors {
        PostgreSQLBehaviors(try #require(client), logger: Self.quiet)
    }

    /// A client of a schema of its own within the tests' PostgreSQL.
    private static func makeClient() throws -> PostgreSQLClient {
        let name = "store_" + UUID().uuidString.replacing("-", with: "_").lowercased()
        let url =
            try #require(StoreKind.database)
            + "&options=-csearch_path%3D\(name)&application_name=\(name)"
        let client = try PostgreSQLClient(PostgreSQLAddress(url), .patient)
        // A name can't be a parameter.
        let statement = SQLStatement(stringLiteral: "CREATE SCHEMA \(name)")
        try client.now { _ = try await client.run(statement) }
        return client
    }

    /// The same as another process has it: with connections of its own.
    func other() throws -> any BehaviorBackend {
        switch kind {
        case .sqlite: SQLiteBehaviors(Storage.of(folder + "/."))
        case .postgresql:
            PostgreSQLBehaviors(
                try PostgreSQLClient(#require(client).address),
                logger: Self.quiet
            )
        case .directory: DirectoryBehaviors(folder, logger: Self.quiet)
        }
    }

    /// Edits the store behind the server's back, as a person with access to the database may.
    func tamper(_ sql: String) async throws {
        switch kind {
        case .sqlite:
            let queue = try DatabaseQueue.beside(folder + "/" + Storage.fileName)
            try await queue.write { database in
                try database.execute(sql: sql)
            }
        case .postgresql:
            let client = try #require(client)
            for statement in sql.split(separator: ";\n") {
                try await client.run(SQLStatement(stringLiteral: String(statement)))
            }
        case .directory:
            Issue.record("files are edited, not told")
        }
    }
}
