import GRDB
import Glibc
import HTTPSyntax
import JSONCodec
import Plug
package import Storage

/// The stored plans and the history of their changes.
package final class PlugStore: Sendable {
    /// The number of changes that are returned.
    private static let shown = 20

    private let storage: Storage
    private let now: @Sendable () -> Int

    /// Creates the store of a data folder; `now` returns seconds since 1970.
    package init(_ storage: Storage, now: @escaping @Sendable () -> Int = { time(nil) }) {
        self.storage = storage
        self.now = now
    }

    /// Stores a plan, or removes it, if `apply` succeeds.
    func keep(
        _ plan: PlugPlan?,
        of action: String,
        by author: AdministrationAuthor,
        reason: String? = nil,
        _ apply: @escaping @Sendable () throws -> Void
    ) async throws {
        let now = now()
        let text = plan.flatMap(Self.text)
        try await storage.write(.plugs) { database in
            let stored = try String.fetchOne(
                database,
                sql: "SELECT plan FROM plug WHERE action = ?",
                arguments: [action]
            )
            try database.execute(sql: "DELETE FROM plug WHERE action = ?", arguments: [action])
            if let text {
                try database.execute(
                    sql: "INSERT INTO plug (action, plan) VALUES (?, ?)",
                    arguments: [action, text]
                )
            }
            try AdministrationLog.add(
                text == nil ? .resetPlug : .setPlug,
                of: action,
                from: stored,
                to: text,
                because: reason ?? "",
                by: author,
                at: now,
                in: database
            )
            try apply()
        }
    }

    /// Returns the plans by action; opens no database if none was ever stored.
    func plans() throws -> [(action: String, plan: PlugPlan)] {
        let rows =
            try storage.readNow(.plugs) { database in
                try Row.fetchAll(database, sql: "SELECT action, plan FROM plug ORDER BY action")
                    .compactMap { row -> (action: String, plan: String)? in
                        guard let action = String.fromDatabaseValue(row.storedValue("action")),
                            let plan = String.fromDatabaseValue(row.storedValue("plan"))
                        else { return nil }
                        return (action, plan)
                    }
            } ?? []
        return rows.compactMap { action, text in Self.plan(text).map { (action, $0) } }
    }

    /// Returns an action's changes, the newest first.
    func changes(of action: String) async throws -> [PlugRecord] {
        try await storage.read(.plugs) { database in
            try AdministrationLog.changes(
                of: action,
                [.setPlug, .resetPlug],
                limit: Self.shown,
                in: database
            ).map { row in
                PlugRecord(
                    action: action,
                    at: HTTPDate.timestamp(row.at),
                    by: row.author,
                    before: row.before.flatMap(Self.plan),
                    after: row.after.flatMap(Self.plan),
                    reason: row.reason.isEmpty ? nil : row.reason
                )
            }
        } ?? []
    }

    /// Compares the stored plans with the audit's rows.
    static func compare(_ database: Database, _ check: inout AdministrationCheck) throws {
        // A server without plans has no table.
        guard try database.tableExists("plug") else { return check.compare(.plug, with: []) }
        let rows = try Row.fetchAll(database, sql: "SELECT action, plan FROM plug")
        check.compare(
            .plug,
            with: rows.map { row in
                func text(_ column: String) -> String {
                    String.fromDatabaseValue(row.storedValue(column)) ?? ""
                }
                return (text("action"), text("plan"))
            }
        )
    }

    /// Returns a plan's stored form, JSON.
    static func text(_ plan: PlugPlan) -> String? {
        (try? JSON.encode(plan)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func plan(_ text: String) -> PlugPlan? {
        try? JSON.decode(PlugPlan.self, from: text.utf8)
    }
}

extension Schema {
    static let plugs = Schema("plugs") { database in
        try database.create(table: "plug") { table in
            table.primaryKey("action", .text)
            table.column("plan", .text).notNull()
        }
        try AdministrationLog.create(in: database)
    }
}
