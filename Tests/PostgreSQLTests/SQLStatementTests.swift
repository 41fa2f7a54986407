import Testing

@testable import PostgreSQL

@Suite("SQL statements")
struct SQLStatementTests {
    @Test("interpolated values become numbered parameters")
    func parameters() {
        let name = "x'; DROP TABLE revision; --"
        let statement: SQLStatement = "SELECT \(1) FROM revision WHERE name = \(name) OR \(true)"
        #expect(statement.text == "SELECT $1 FROM revision WHERE name = $2 OR $3")
        #expect(statement.parameters == [.int(1), .text(name), .bool(true)])
    }

    @Test("an interpolated statement includes its parameters")
    func parts() {
        let part: SQLStatement = "a = \(2) AND b = \("c")"
        let statement: SQLStatement = "SELECT \(1) WHERE \(part) LIMIT \(3)"
        #expect(statement.text == "SELECT $1 WHERE a = $2 AND b = $3 LIMIT $4")
        #expect(statement.positionalText == "SELECT ? WHERE a = ? AND b = ? LIMIT ?")
        #expect(statement.parameters == [.int(1), .int(2), .text("c"), .int(3)])
    }

    @Test("nil is a null")
    func nothing() {
        let statement: SQLStatement = "SELECT \(Int?.none), \(Int?.some(7))"
        #expect(statement.parameters == [.null, .int(7)])
    }

    @Test("text with a NUL is rejected: PostgreSQL has none, and libpq would truncate it")
    func nul() {
        #expect(throws: PostgreSQLError.self) { try SQLParameters([.text("a\0b")]) }
    }

    @Test(
        "integers of two, four and eight bytes retain their sign",
        arguments: [
            ([0xFF, 0xFE], SQLType.int2, -2), ([0, 0, 1, 0], SQLType.int4, 256),
            ([0x80, 0, 0, 0], SQLType.int4, -2_147_483_648),
            ([0x80, 0, 0, 0, 0, 0, 0, 0], SQLType.int8, Int.min),
            ([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], SQLType.int8, Int.max),
        ] as [([UInt8], UInt32, Int)]
    )
    func integers(_ bytes: [UInt8], _ type: UInt32, _ expected: Int) {
        let value = bytes.withUnsafeBytes { SQLValue($0, type: type) }
        #expect(value == .int(expected))
    }

    @Test("a pause grows with each failure up to its maximum, and half of it is random")
    func pauses() {
        var configuration = PostgreSQLConfiguration()
        configuration.minimumPause = .milliseconds(100)
        configuration.maximumPause = .seconds(5)
        for (failures, longest) in [(1, 100), (2, 200), (3, 400), (7, 5000), (1000, 5000)] {
            let pause = configuration.pause(after: failures).milliseconds
            #expect((longest / 2...longest).contains(pause))
        }
    }
}
