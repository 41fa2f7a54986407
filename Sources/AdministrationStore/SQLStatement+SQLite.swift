package import GRDB
package import PostgreSQL

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SQLStatement {
    /// The parameters in SQLite's form.
    package var arguments: StatementArguments {
        StatementArguments(
            parameters.map { value -> (any DatabaseValueConvertible)? in
                switch value {
                case .null: nil
                case .bool(let value): value
                case .int(let value): value
                case .double(let value): value
                case .text(let value): value
                case .bytes(let value): Data(value)
                }
            }
        )
    }

    /// Runs a statement without a result.
    package func execute(_ database: Database) throws {
        try database.cachedStatement(sql: positionalText).execute(arguments: arguments)
    }

    /// Runs a query.
    package func rows(_ database: Database) throws -> [SQLRow] {
        try Row.fetchAll(database, sql: positionalText, arguments: arguments).map(SQLRow.init)
    }
}

extension SQLRow {
    /// Copies a row with its columns' actual types, which SQLite doesn't enforce.
    package init(_ row: Row) {
        self.init(
            columns: Array(row.columnNames),
            values: row.databaseValues.map { value in
                switch value.storage {
                case .null: .null
                case .int64(let value): .int(Int(value))
                case .double(let value): .double(value)
                case .string(let value): .text(value)
                case .blob(let value): .bytes(Array(value))
                }
            }
        )
    }
}
