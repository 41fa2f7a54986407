import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private enum Payment: Codable { case cash(Int), card(String) }

@Suite("The JSON Schema of a type")
struct ShapesSchemaTests {
    private enum Size: String, Codable, CaseIterable { case small, large }

    @Test("a dictionary's schema restricts its names")
    func schemas() {
        let sizes = JSON.schema(of: [Size: Int].self)
        #expect(sizes["type"] == "object")
        #expect(sizes["propertyNames"]?["enum"] == ["small", "large"])
        #expect(JSON.schema(of: [UUID: Int].self)["propertyNames"]?["format"] == "uuid")
        #expect(JSON.schema(of: [Int: Int].self)["propertyNames"]?["pattern"] != nil)
        #expect(JSON.schema(of: [String: Int].self)["propertyNames"] == nil)
    }

    @Test("the schema of a dictionary's names matches the texts of its keys only")
    func names() throws {
        let cases: [(schema: JSON, names: [String], others: [String])] = [
            (
                JSON.schema(of: [Int8: Int].self), ["0", "9", "99", "127", "-127", "-128", "100"],
                ["128", "-129", "-0", "01", "", "1.0", "a", "1000", "200"]
            ),
            (
                JSON.schema(of: [UInt8: Int].self), ["0", "10", "99", "199", "255"],
                ["256", "-1", "300"]
            ),
            (
                JSON.schema(of: [Int: Int].self),
                ["\(Int.max)", "\(Int.min)", "1000000000000000000"],
                ["9223372036854775808", "-9223372036854775809", "10000000000000000000"]
            ),
            (
                JSON.schema(of: [UInt64: Int].self), ["\(UInt64.max)", "18446744073709550000"],
                ["18446744073709551616", "-1"]
            ),
            (
                JSON.schema(of: [Double: Int].self), ["0", "-1.5", "1e300", "1E+2"],
                ["a", "", "01", ".5", "1."]
            ),
        ]
        for (schema, names, others) in cases {
            let pattern = try #require(schema["propertyNames"]?["pattern"]?.string)
            let regex = try Regex(pattern)
            for name in names { #expect(name.contains(regex), "\(name) \(pattern)") }
            for name in others { #expect(!name.contains(regex), "\(name) \(pattern)") }
        }
    }

    private enum Kind: String, Codable { case first, second = "2nd" }
    private enum Only: String, Codable { case only }
    private struct Entry: Codable { var only: Only, after: Int }
    private enum Number: Int8, Codable { case one = 1 }
    private struct Unkeyed: Codable {
        var id: Int8
        var name: String

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            id = try list.decode(Int8.self)
            name = try list.decode(String.self)
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(id)
            try list.encode(name)
        }
    }

    @Test("an enum with raw values shows them without CaseIterable")
    func enums() {
        #expect("\(JSON.schema(of: [Kind].self))".contains(#""enum":["first","2nd"]"#))
        #expect("\(JSON.schema(of: [Number].self))".contains(#""enum":[1]"#))
        // A type with one value has no bytes.
        let whole = "\(JSON.schema(of: Entry.self))"
        #expect(whole.contains(#""required":["only","after"]"#), "\(whole)")
        let names = JSON.schema(of: [Kind: Int].self)["propertyNames"]
        #expect(names?["enum"] == ["first", "2nd"])
    }

    @Test("a list of a fixed number of elements has this number, and each one's type")
    func fixedLists() throws {
        let range = JSON.schema(of: Range<Int>.self)
        #expect(range["items"]?["type"] == "integer")
        #expect(range["minItems"] == 2 && range["maxItems"] == 2)
        let duration = JSON.schema(of: Duration.self)
        #expect(duration["prefixItems"]?[1]?["maximum"] == .number(JSON.Number(UInt64.max)))
        #expect(duration["minItems"] == 2 && duration["maxItems"] == 2)
        let unkeyed = JSON.schema(of: Unkeyed.self)["prefixItems"]
        #expect(unkeyed?[0]?["type"] == "integer")
        #expect(unkeyed?[1]?["type"] == "string")
        #expect(JSON.schema(of: [Int].self)["maxItems"] == nil)
        #expect(
            failure {
                _ = try JSON.decode(validating: Range<Int>.self, from: Array("[1,2,3]".utf8))
            }
                != nil
        )
    }

    @Test("types other than objects have schemas")
    func others() {
        let dialect: JSON = "https://json-schema.org/draft/2020-12/schema"
        #expect(JSON.schema(of: String.self) == ["$schema": dialect, "type": "string"])
        #expect(
            JSON.schema(of: [Bool].self)
                == ["$schema": dialect, "type": "array", "items": ["type": "boolean"]]
        )
        #expect(JSON.schema(of: Int8?.self)["type"] == ["integer", "null"])
        #expect(JSON.schema(of: [Int: Bool].self)["additionalProperties"] == ["type": "boolean"])
        #expect(JSON.schema(of: JSON.self) == ["$schema": dialect])
        #expect(JSON.schema(of: Payment.self)["$defs"]?["Payment"] != nil)
    }
}
