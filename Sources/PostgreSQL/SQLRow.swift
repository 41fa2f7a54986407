import CPostgreSQL

/// A row of a result.
public struct SQLRow: Sendable {
    let columns: [String]
    let values: [SQLValue]

    /// Creates a row of another database: names of columns, and a value for each.
    package init(columns: [String], values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// Returns a column's value; throws if the column is missing or of another type.
    public func get<Value: SQLConvertible>(
        _ column: String,
        as type: Value.Type = Value.self
    ) throws(PostgreSQLError) -> Value {
        // Linear: a result has at most a dozen columns.
        guard let index = columns.firstIndex(of: column) else {
            throw PostgreSQLError(.misuse, "there is no column \(column)")
        }
        guard let value = Value(values[index]) else {
            throw PostgreSQLError(.misuse, "the column \(column) is not of type \(type)")
        }
        return value
    }
}

extension PostgreSQLLibrary {
    /// Returns the rows of a result with values in binary format.
    func rows(_ result: OpaquePointer) throws(PostgreSQLError) -> [SQLRow] {
        let columns = 0..<functions.PQnfields(result)
        let names = columns.map { column in
            functions.PQfname(result, column).map { String(cString: $0) } ?? ""
        }
        let types = columns.map { functions.PQftype(result, $0) }
        var rows: [SQLRow] = []
        for row in 0..<functions.PQntuples(result) {
            var values: [SQLValue] = []
            for column in columns {
                guard functions.PQgetisnull(result, row, column) == 0 else {
                    values.append(.null)
                    continue
                }
                let bytes = UnsafeRawBufferPointer(
                    start: functions.PQgetvalue(result, row, column),
                    count: Int(functions.PQgetlength(result, row, column))
                )
                guard let value = SQLValue(bytes, type: types[Int(column)]) else {
                    throw PostgreSQLError(
                        .misuse,
                        "the column \(names[Int(column)]) is of the type \(types[Int(column)]): cast it"
                    )
                }
                values.append(value)
            }
            rows.append(SQLRow(columns: names, values: values))
        }
        return rows
    }
}

extension SQLValue {
    /// Decodes a value in binary format with big-endian integers; nil for an unsupported type.
    init?(_ bytes: UnsafeRawBufferPointer, type: UInt32) {
        switch type {
        case SQLType.bool where bytes.count == 1:
            self = .bool(bytes[0] != 0)
        case SQLType.int2, SQLType.int4, SQLType.int8:
            guard let first = bytes.first, bytes.count <= 8 else { return nil }
            let sign = first < 0x80 ? 0 : -1
            self = .int(bytes.reduce(sign) { $0 << 8 | Int($1) })
        case SQLType.float8 where bytes.count == 8:
            self = .double(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case SQLType.text, SQLType.varchar, SQLType.name, SQLType.unknown:
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLType.bytea:
            self = .bytes(Array(bytes))
        case SQLType.void:
            self = .null
        default:
            return nil
        }
    }
}
