import AdministrationStore
import GRDB
import PostgreSQL
import Storage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads columns of any type without a trap: an edited file need not follow the schema, and no edit
/// may crash the process that checks it.
extension Row: BehaviorRow {
    package func integer(_ column: String) -> Int? {
        Int.fromDatabaseValue(storedValue(column))
    }

    package func text(_ column: String) -> String { optionalText(column) ?? "" }

    package func optionalText(_ column: String) -> String? {
        String.fromDatabaseValue(storedValue(column))
    }

    package func bytes(_ column: String) -> [UInt8] {
        [UInt8](Data.fromDatabaseValue(storedValue(column)) ?? Data())
    }
}

extension SQLStatement {
    func rows<Value>(
        _ database: Database,
        _ make: (any BehaviorRow) throws -> Value?
    ) throws -> [Value] {
        try Row.fetchAll(database, sql: positionalText, arguments: arguments).compactMap(make)
    }
}
