import JSONCodec
import Testing

@Suite("Names of large objects")
struct NameTablesTests {
    @Test("a duplicate name is found in small and large objects, escaped or not")
    func repeatedNames() throws {
        for count in [2, 8, 9, 100] {
            let members = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
            _ = try json("{\(members)}")
            #expect(throws: JSONError.self) { try json("{\(members),\"k0\":1}") }
            #expect(throws: JSONError.self) { try json("{\(members),\"\\u006b1\":1}") }
            #expect(throws: JSONError.self) { try json("{\"\\u006b1\":1,\(members)}") }
            _ = try json("{\(members),\"\\\\u006b1\":1}")
        }
    }

    @Test("decoding a large object takes linear time")
    func bigObject() throws {
        // Were it quadratic, a hundred thousand names would take ten thousand million comparisons.
        let members = (0..<100_000).map { "\"\\u006b\($0)\":\($0)" }.joined(separator: ",")
        let decoded = try decode([String: Int].self, "{\(members)}")
        #expect(decoded.count == 100_000)
        #expect(decoded["k77777"] == 77_777)
        #expect(try json("{\(members)}")["k99999"]?.int == 99_999)
    }
}
