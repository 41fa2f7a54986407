package import AdministrationStore
import Glibc
import HTTPSyntax
import JSONCodec
import Plug
import PostgreSQL

/// The stored plans and the history of their changes.
package final class PlugStore: Sendable {
    /// The number of changes that are returned.
    private static let shown = 20

    private let backend: any AdministrationBackend
    private let now: @Sendable () -> Int

    /// Creates the plans of a store; `now` returns seconds since 1970.
    package init(
        _ backend: any AdministrationBackend,
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.backend = backend
        self.now = now
    }

    /// The plans of one moment.
    struct Plans: Sendable {
        /// The audit's last row at that moment.
        var head = AdministrationHead.none
        var plans: [(action: String, plan: PlugPlan)] = []
    }

    /// Stores a plan, or removes it; returns false if `condition` rejects the stored plan.
    @discardableResult
    func store(
        _ plan: PlugPlan?,
        of action: String,
        by author: AdministrationAuthor,
        reason: String = "",
        if condition: @escaping @Sendable (PlugPlan?) -> Bool = { _ in true }
    ) async throws -> Bool {
        let text = plan.flatMap(Self.text)
        return try await backend.change(at: now()) { [backend] update in
            let rows = try await backend.read(update.tables.plug(of: action))
            let stored = try? rows?.first?.get("plan", as: String.self)
            guard condition(stored.flatMap(Self.plan)) else { return false }
            update.run(update.tables.removePlug(of: action))
            if let text { update.run(update.tables.insertPlug(text, of: action)) }
            try update.record(
                text == nil ? .resetPlug : .setPlug,
                of: action,
                from: stored,
                to: text,
                because: reason,
                by: author
            )
            return true
        }
    }

    /// Returns the plans by action; opens no database if none was ever stored.
    ///
    /// Blocks the calling thread.
    func plansNow() throws -> Plans { Self.plans(try backend.readNow(queries)) }

    /// Returns the plans by action.
    func plans() async throws -> Plans { Self.plans(try await backend.read(queries)) }

    private var queries: [SQLStatement] { [backend.tables.head, backend.tables.allPlugs] }

    private static func plans(_ results: [[SQLRow]]?) -> Plans {
        guard let results else { return Plans() }
        return Plans(
            head: results[0].first.map(AdministrationHead.init) ?? AdministrationHead.none,
            plans: results[1].compactMap { row in
                guard let action = try? row.get("action", as: String.self),
                    let text = try? row.get("plan", as: String.self), let plan = plan(text)
                else { return nil }
                return (action, plan)
            }
        )
    }

    /// Returns the audit's rows after a known one.
    func news(after head: AdministrationHead) async throws -> AdministrationNews {
        let query = AdministrationNews.query(after: head, in: backend.tables)
        return AdministrationNews(try await backend.read(query) ?? [], after: head)
    }

    /// Returns an action's changes, the newest first.
    func changes(of action: String) async throws -> [PlugRecord] {
        let query = backend.tables.plugChanges(of: action, limit: Self.shown)
        return try await (backend.read(query) ?? []).map { row in
            let row = AdministrationRow(row)
            return PlugRecord(
                action: action,
                at: HTTPDate.timestamp(row.at),
                by: row.author,
                byName: row.authorName.isEmpty ? nil : row.authorName,
                before: row.before.flatMap(Self.plan),
                after: row.after.flatMap(Self.plan),
                reason: row.reason.isEmpty ? nil : row.reason
            )
        }
    }

    /// Compares the stored plans with the audit's rows.
    static func compare(_ rows: [SQLRow], with check: inout AdministrationCheck) {
        check.compare(
            .plug,
            with: rows.map { row in
                func text(_ column: String) -> String { (try? row.get(column)) ?? "" }
                return (text("action"), text("plan"))
            }
        )
    }

    /// Returns a plan's stored form, JSON.
    static func text(_ plan: PlugPlan) -> String? {
        (try? JSON.encode(plan)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func plan(_ text: String) -> PlugPlan? {
        try? JSON.decode(PlugPlan.self, from: text.utf8)
    }
}

extension AdministrationTables {
    /// Selects all plans.
    var allPlugs: SQLStatement { "SELECT action, plan FROM \(plug) ORDER BY action" }

    fileprivate func plug(of action: String) -> SQLStatement {
        "SELECT plan FROM \(plug) WHERE action = \(action)"
    }

    fileprivate func removePlug(of action: String) -> SQLStatement {
        "DELETE FROM \(plug) WHERE action = \(action)"
    }

    fileprivate func insertPlug(_ plan: String, of action: String) -> SQLStatement {
        "INSERT INTO \(plug) (action, plan) VALUES (\(action), \(plan))"
    }
}
