import Glibc
package import PostgreSQL
package import System

/// A store of tokens, scopes, plugs and their audit: the operations that SQLite and PostgreSQL each
/// implement.
///
/// A store has no rules. A caller reads the audit's head, then what the change depends on, then
/// commits after that head. It needs neither a lock nor a transaction: of two concurrent commits, in
/// one process or in two, one succeeds and the other starts again. So the audit is also the order of
/// all changes, which each server applies to its memory (``AdministrationNews``).
package protocol AdministrationBackend: AnyObject, Sendable {
    /// The tables of its statements.
    var tables: AdministrationTables { get }

    /// Whether the store is in another process, which several servers share.
    var isRemote: Bool { get }

    /// The reason why the store is unavailable; nil if it is available.
    var loss: String? { get }

    /// Serialises the changes of this process.
    var changes: AsyncQueue<SingleKey> { get }

    /// Runs queries at one moment; returns nil if nothing was ever stored.
    func read(_ queries: [SQLStatement]) async throws -> [[SQLRow]]?

    /// Reads like ``read(_:)``, but blocks the calling thread.
    func readNow(_ queries: [SQLStatement]) throws -> [[SQLRow]]?

    /// Runs statements durably, all or none, after creating the tables if they are missing.
    ///
    /// - Returns: false if the audit's last row isn't `head`; nil accepts each.
    func commit(_ statements: [SQLStatement], after head: AdministrationHead?) async throws -> Bool

    /// Returns the differences between the tables and their schema, a phrase each.
    ///
    /// A trigger or a view changes what the tables store.
    func differences() async throws -> [String]

    /// Calls `changed` within a second of another process's change, until the task is cancelled.
    ///
    /// It may call without a change. After a lost connection it calls once it is connected again.
    func watch(_ changed: @escaping @Sendable () async -> Void) async
}

extension AdministrationBackend {
    /// The maximum number of attempts of a change, each after a faster one of another process.
    private var attempts: Int { 50 }

    /// Runs a query; returns nil if nothing was ever stored.
    package func read(_ query: SQLStatement) async throws -> [SQLRow]? {
        try await read([query])?.first
    }

    /// Returns the last row's place and hash.
    package func head() async throws -> AdministrationHead {
        try await read(tables.head)?.first.map(AdministrationHead.init) ?? AdministrationHead.none
    }

    /// Returns whether a first write has created the tables.
    package func hasTables() async throws -> Bool { try await read(tables.head) != nil }

    /// Returns whether any change was ever recorded.
    package func hasRows() async throws -> Bool { try await head() != .none }

    /// Makes a change with its audit rows, and returns the result of `make`.
    ///
    /// `make` runs again if a concurrent change was faster, so its only effect is the update. An
    /// update without statements changes nothing. A change completes even if its caller is
    /// cancelled.
    @discardableResult
    package func change<Value: Sendable>(
        at now: Int = time(nil),
        _ make: @escaping @Sendable (inout AdministrationUpdate) async throws -> Value
    ) async throws -> Value {
        try await Task.detached { [self] in
            try await changes.run(in: .only) {
                for _ in 0..<attempts {
                    var update = AdministrationUpdate(after: try await head(), at: now, in: tables)
                    let value = try await make(&update)
                    guard !update.statements.isEmpty else { return value }
                    if try await commit(update.statements, after: update.base) { return value }
                }
                throw AdministrationError.busy
            }
        }.value
    }

    /// Returns at most `limit` rows of the audit after a place, in their order.
    ///
    /// Large rows make a page shorter; it has at least one row if there are more.
    package func auditRows(after place: Int, limit: Int) async throws -> [AdministrationRow] {
        // The greatest number has no next one, and no row follows it.
        guard place < .max else { return [] }
        return Self.page(try await read(tables.rows(from: place + 1, limit: limit)))
    }

    /// Returns at most `limit` rows of the audit before a place, the newest first.
    ///
    /// Large rows make a page shorter; it has at least one row if there are more.
    package func auditRows(before place: Int?, limit: Int) async throws -> [AdministrationRow] {
        Self.page(try await read(tables.rows(before: place ?? .max, limit: limit)))
    }

    /// Cuts a page by its bytes; the database counts characters.
    private static func page(_ rows: [SQLRow]?) -> [AdministrationRow] {
        var size = 0
        return (rows ?? []).map(AdministrationRow.init).prefix { row in
            defer { size += row.size }
            return size < AdministrationTables.maximumPage
        }
    }
}
