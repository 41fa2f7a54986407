import CPostgreSQL

/// A row of an answer.
package struct SQLRow: Sendable {
    let columns: [String]
    let values: [SQLValue]

    /// A column's value; throws where there is no such column, or it holds something else.
    package func get<Value: SQLConvertible>(
        _ column: String,
        as type: Value.Type = Value.self
    ) throws(PostgreSQLError) -> Value {
        // Linear: an answer has a dozen columns at most.
        guard let index = columns.firstIndex(of: column) else {
            throw PostgreSQLError(.misuse, "there is no column \(column)")
        }
        guard let value = Value(values[index]) else {
            throw PostgreSQLError(.misuse, "the column \(column) holds no \(type)")
        }
        return value
    }
}

extension PostgreSQLLibrary {
    /// The rows of a result, whose values are in the binary format.
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
    /// A value in the binary format, whose integers have their greatest byte first; nil for a type
    /// that isn't understood.
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
