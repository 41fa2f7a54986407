import GRDB
import Glibc
import HTTPSyntax
import JSONCodec
import Plug
package import Storage

/// The stored plans and the history of their changes.
package final class PlugStore: Sendable {
    /// The number of changes that are stored per action, and the number that is returned.
    private static let maximumCount = 1000
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
        before: PlugPlan?,
        by who: String,
        reason: String? = nil,
        _ apply: @escaping @Sendable () throws -> Void
    ) async throws {
        let now = now()
        let texts = (before: before.flatMap(Self.text), after: plan.flatMap(Self.text))
        try await storage.write(.plugs) { database in
            try database.execute(sql: "DELETE FROM plug WHERE action = ?", arguments: [action])
            if let text = texts.after {
                try database.execute(
                    sql: "INSERT INTO plug (action, plan) VALUES (?, ?)",
                    arguments: [action, text]
                )
            }
            try database.execute(
                sql: """
                    INSERT INTO plugChange (action, at, who, earlier, later, reason)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [action, now, who, texts.before, texts.after, reason]
            )
            try database.execute(
                sql: """
                    DELETE FROM plugChange WHERE action = ? AND position <= (
                        SELECT position FROM plugChange WHERE action = ?
                        ORDER BY position DESC LIMIT 1 OFFSET ?
                    )
                    """,
                arguments: [action, action, Self.maximumCount]
            )
            try apply()
        }
    }

    /// Returns the plans by action; opens no database if none was ever stored.
    func plans() throws -> [(action: String, plan: PlugPlan)] {
        let rows =
            try storage.readNow(.plugs) { database in
                try Row.fetchAll(database, sql: "SELECT action, plan FROM plug ORDER BY action")
                    .map { row in (row["action"] as String, row["plan"] as String) }
            } ?? []
        return rows.compactMap { action, text in Self.plan(text).map { (action, $0) } }
    }

    /// Returns an action's changes, the newest first.
    func changes(of action: String) async throws -> [PlugRecord] {
        try await storage.read(.plugs) { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM plugChange WHERE action = ? ORDER BY position DESC LIMIT ?",
                arguments: [action, Self.shown]
            ).map { row in
                PlugRecord(
                    action: action,
                    at: HTTPDate.timestamp(row["at"]),
                    by: row["who"],
                    before: (row["earlier"] as String?).flatMap(Self.plan),
                    after: (row["later"] as String?).flatMap(Self.plan),
                    reason: row["reason"]
                )
            }
        } ?? []
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
        try database.create(table: "plugChange") { table in
            table.autoIncrementedPrimaryKey("position")
            table.column("action", .text).notNull().indexed()
            table.column("at", .integer).notNull()
            table.column("who", .text).notNull()
            table.column("earlier", .text)
            table.column("later", .text)
            table.column("reason", .text)
        }
    }
}
