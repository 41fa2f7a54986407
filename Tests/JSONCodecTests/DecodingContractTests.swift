import JSONCodec
import Testing

private struct Item: Codable, Constrained, Equatable {
    var price: Int
    var name: String
    var count: Int
    static var constraints: Constraints {
        [
            "price": [.minimum(1), .maximum(1_000_000)], "name": [.minLength(1)],
            "count": [.default(1), .maximum(99)],
        ]
    }
}

@Suite("JSON.decode(validating:)")
struct DecodingContractTests {
    private func failures(_ text: String) -> [String] {
        let errors = #expect(throws: JSONTypeErrors.self) {
            try JSON.decode(validating: [Item].self, from: text.utf8)
        }
        return errors?.all.map(\.description) ?? []
    }

    @Test("a valid document is decoded, with defaults for missing members")
    func good() throws {
        let items = try JSON.decode(
            validating: [Item].self,
            from: #"[{"price":1,"name":"a"},{"price":2,"name":"b","count":3}]"#.utf8
        )
        #expect(
            items == [Item(price: 1, name: "a", count: 1), Item(price: 2, name: "b", count: 3)]
        )
        let plain = try JSON.decode(validating: [Int].self, from: "[1,2]".utf8)
        #expect(plain == [1, 2])
    }

    @Test("all violations are reported with their locations")
    func constraints() {
        #expect(
            failures(#"[{"price":9223372036854775807,"name":""},{"price":0,"name":"b"}]"#) == [
                "/0/price: expected 1 to 1000000", "/0/name: expected at least 1 characters",
                "/1/price: expected 1 to 1000000",
            ]
        )
    }

    @Test("violations and type errors are reported together")
    func types() {
        #expect(
            failures(#"[{"price":"x","name":"","count":100},7]"#) == [
                "/0/price: expected an integer", "/0/name: expected at least 1 characters",
                "/0/count: expected at most 99", "/1: expected an object",
            ]
        )
    }

    @Test("invalid JSON is an error", arguments: ["", "[", "[{}}", " "])
    func noJSON(text: String) {
        #expect(throws: JSONError.self) {
            try JSON.decode(validating: [Item].self, from: text.utf8)
        }
    }
}
