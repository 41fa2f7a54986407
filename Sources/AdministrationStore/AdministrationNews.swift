package import PostgreSQL

/// The audit's rows after those that a reader has applied.
package enum AdministrationNews: Sendable, Equatable {
    /// The next rows, in their order; empty if there are none.
    case rows([AdministrationRow])
    /// Another history has replaced the known one: the reader has to load everything.
    case replaced

    /// The maximum number of rows in one reading.
    private static let limit = 500

    /// Selects the row of a known head and the rows after it.
    package static func query(
        after head: AdministrationHead,
        in tables: AdministrationTables
    ) -> SQLStatement {
        tables.rows(from: head.sequence, limit: limit)
    }

    /// Reads the result of the query.
    package init(_ rows: [SQLRow], after head: AdministrationHead) {
        var rows = rows.map(AdministrationRow.init)[...]
        if head != .none {
            guard rows.popFirst().map(AdministrationHead.init) == head else {
                self = .replaced
                return
            }
        }
        self = .rows(Array(rows))
    }
}
