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
        let pattern = "^(0|-?[1-9][0-9]*)$"
        #expect(JSON.schema(of: [Int: Int].self)["propertyNames"] == ["pattern": .string(pattern)])
        #expect(JSON.schema(of: [String: Int].self)["propertyNames"] == nil)
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
