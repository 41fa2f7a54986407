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
