import Testing

@testable import PostgreSQL

@Suite("PostgreSQL rows", .withDatabase)
struct SQLRowTests {
    @Test("values return unchanged, and text that looks like SQL stays a text")
    func values() async throws {
        let client = try TestDatabase.client()
        let text = "x'; DROP TABLE \"α\"; -- $1 \\"
        let bytes = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let rows = try await client.run(
            """
            SELECT \(text)::text AS text, \(Int.min) AS least, 7::smallint AS small, \(true) AS yes,
                \(bytes) AS bytes, \([UInt8]()) AS none, \(0.1) AS tenth, \(String?.none)::text AS null
            """
        )
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(try row.get("text") == text)
        #expect(try row.get("least") == Int.min)
        #expect(try row.get("small") == 7)
        #expect(try row.get("yes") == true)
        #expect(try row.get("bytes") == bytes)
        #expect(try row.get("none") == [UInt8]())
        #expect(try row.get("tenth") == 0.1)
        #expect(try row.get("null") == String?.none)
        #expect(throws: PostgreSQLError.self) { try row.get("null", as: String.self) }
        #expect(throws: PostgreSQLError.self) { try row.get("text", as: Int.self) }
        #expect(throws: PostgreSQLError.self) { try row.get("nothing", as: Int.self) }
    }

    @Test("a column of an unsupported type is an error")
    func unknownType() async throws {
        let client = try TestDatabase.client()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await client.run("SELECT now() AS moment")
        }
        #expect(error?.kind == .misuse)
        #expect(error?.message.contains("moment") == true)
        try await client.run("SELECT 1")
    }
}
