package import AdministrationStore
import Foundation
import GRDB
package import Logging
package import PostgreSQL
import Storage

/// The kinds of stores of tokens and plugs: each test of them runs with all.
package enum AdministrationKind: String, CaseIterable, Sendable, CustomStringConvertible {
    case sqlite
    case postgresql

    /// The kinds available here: `Tests/run` starts a PostgreSQL if one is installed.
    package static let allCases: [AdministrationKind] =
        database == nil ? [.sqlite] : [.sqlite, .postgresql]

    /// The shared kind, if it is available here.
    package static let remote = allCases.filter { $0 == .postgresql }

    /// The address of the tests' PostgreSQL; nil if there is none.
    fileprivate static let database =
        ProcessInfo.processInfo.environment["PLUGBOARD_TEST_DATABASE"]

    package var description: String { rawValue }
}

/// A test's own store of tokens and plugs.
package final class AdministrationPlace: Sendable {
    package let kind: AdministrationKind
    /// The data folder, also beside a database.
    package let folder = NSTemporaryDirectory() + "plugboard-administration-\(UUID().uuidString)"
    /// The database's address; empty for a data folder.
    package let url: String
    /// Distinguishes the place's connections.
    package let name = "administration_" + UUID().uuidString.lowercased().filter { $0 != "-" }

    package init(_ kind: AdministrationKind) throws {
        self.kind = kind
        guard kind == .postgresql, let address = AdministrationKind.database else {
            url = ""
            return
        }
        url = address + "&options=-csearch_path%3D\(name)&application_name=\(name)"
        try run("CREATE SCHEMA \(name)")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The store as a process has it; each has its own connections.
    package func backend(_ logger: Logger = quiet) throws -> any AdministrationBackend {
        switch kind {
        // Another spelling is another object, as another process has it.
        case .sqlite:
            SQLiteAdministration(
                Storage.of(folder + String(repeating: "/.", count: .random(in: 0...40)))
            )
        case .postgresql: PostgreSQLAdministration(try client(), logger: logger)
        }
    }

    package static let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }

    package func client() throws -> PostgreSQLClient {
        try PostgreSQLClient(PostgreSQLAddress(url), .patient)
    }

    /// The tables' names.
    package var tables: (audit: String, token: String, plug: String, scope: String) {
        switch kind {
        case .sqlite: ("administrationAudit", "token", "plug", "scope")
        case .postgresql:
            (
                "plugboard_administration", "plugboard_token", "plugboard_plug",
                "plugboard_scope"
            )
        }
    }

    /// Runs statements, as a person with access to the database can.
    package func run(_ sql: String...) throws {
        switch kind {
        case .sqlite:
            let queue = try DatabaseQueue.beside(folder + "/" + Storage.fileName)
            try queue.write { database in
                for sql in sql { try database.execute(sql: sql) }
            }
        case .postgresql:
            let client = try client()
            try client.now {
                for sql in sql { try await client.run(SQLStatement(stringLiteral: sql)) }
                await client.close()
            }
        }
    }
}
