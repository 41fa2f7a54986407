package import GRDB

extension Row {
    /// Returns a column's value of any type; null if there is no such column.
    ///
    /// GRDB traps if a column is missing or has another type. Another program may have replaced the
    /// table.
    package func storedValue(_ column: String) -> DatabaseValue {
        (self[column] as DatabaseValue?) ?? .null
    }
}
