import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private enum Size: String, Codable, CaseIterable { case small, large }
private enum Level: Int, Codable, CaseIterable { case low = 1, high }
private enum Hidden: String, Codable { case one, two }
private struct Item: Codable { var title: String; var count: UInt8 }
private struct Tree: Codable { var name: String; var children: [Tree]; var next: Box? }
private final class Box: Codable { var tree: Tree; init(tree: Tree) { self.tree = tree } }
private struct Name: Codable {
    let text: String
    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard text.contains("@") else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no at sign")
            )
        }
    }
}
private struct Stubborn: Codable {
    let text: String
    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard text == "sesame" else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no"))
        }
    }
}
private struct Described: Codable, SchemaDescribing {
    static var schema: JSON { ["type": "string", "examples": ["sesame"]] }
    let word: Stubborn
    init(from decoder: any Decoder) throws { word = try Stubborn(from: decoder) }
}
private struct Hedge: Codable, SchemaDescribing {
    static var schema: JSON {
        [
            "oneOf": [["type": "string"], ["$ref": "#/$defs/Fork"]], "examples": [""],
            "$defs": ["Fork": ["type": "array", "items": ["$ref": "#"]]],
        ]
    }
    let word: Stubborn
    init(from decoder: any Decoder) throws { word = try Stubborn(from: decoder) }
}
private struct Garden: Codable { var hedge: Hedge }
private struct Order: Codable {
    var id: Int
    var size: Size
    var level: Level?
    var items: [Item]
    var prices: [String: Double]
    var by: Name
    var hidden: Hidden
    var paid: Bool?
    var at: Date
    var key: UUID
    var page: URL
    var bytes: Data
    var described: Described
    var rest: JSON
    var perhaps: Int??
}
extension Order {
    struct Note: Decodable { var text: String }
    struct Outer: Decodable { var own: Note; var other: Item.Note }
}
extension Item { struct Note: Decodable { var number: Int } }

@Suite("Schemas of types")
struct ShapeFinderTests {
    @Test(
        "a recursive type refers to itself wherever it is used (JSON Schema 2020-12 §8.2.3)"
    )
    func embedded() {
        let schema = JSON.schema(of: Garden.self)
        #expect(schema["$defs"]?["Garden"]?["properties"]?["hedge"] == ["$ref": "#/$defs/Hedge"])
        #expect(
            schema["$defs"]?["Hedge"] == [
                "oneOf": [["type": "string"], ["$ref": "#/$defs/Hedge.Fork"]], "examples": [""],
            ]
        )
        #expect(
            schema["$defs"]?["Hedge.Fork"] == ["type": "array", "items": ["$ref": "#/$defs/Hedge"]]
        )
    }

    @Test("each member that init(from:) requests has its type")
    func members() throws {
        let schema = JSON.schema(of: Order.self)
        #expect(schema["$ref"] == "#/$defs/Order")
        let order = try #require(schema["$defs"]?["Order"])
        #expect(order["type"] == "object")
        let members = try #require(order["properties"])
        #expect(members["id"]?["type"] == "integer")
        #expect(members["id"]?["format"] == "int64")
        #expect(members["size"] == ["$ref": "#/$defs/Size"])
        #expect(schema["$defs"]?["Size"] == ["type": "string", "enum": ["small", "large"]])
        #expect(schema["$defs"]?["Level"] == ["type": "integer", "enum": [1, 2]])
        #expect(
            members["level"] == ["anyOf": [["$ref": "#/$defs/Level"], ["type": "null"]]]
        )
        #expect(members["items"] == ["type": "array", "items": ["$ref": "#/$defs/Item"]])
        #expect(
            members["prices"]
                == [
                    "type": "object",
                    "additionalProperties": ["type": "number", "format": "double"],
                ]
        )
        #expect(members["by"] == ["type": "string"])
        #expect(members["hidden"] == ["$ref": "#/$defs/Hidden"])
        #expect(members["paid"] == ["type": ["boolean", "null"]])
        #expect(members["at"] == ["type": "string", "format": "date-time"])
        #expect(members["key"] == ["type": "string", "format": "uuid"])
        #expect(members["page"]?["format"] == "uri-reference")
        #expect(members["bytes"]?["contentEncoding"] == "base64")
        #expect(members["described"] == ["$ref": "#/$defs/Described"])
        #expect(members["rest"] == [:])
        let required = order["required"]?.array?.compactMap { $0.string }
        #expect(
            required == [
                "id", "size", "items", "prices", "by", "hidden", "at", "key", "page", "bytes",
                "described", "rest",
            ]
        )
        let count = schema["$defs"]?["Item"]?["properties"]?["count"]
        #expect(count == ["type": "integer", "minimum": 0, "maximum": 255])
    }

    @Test("a recursive type is a reference")
    func recursive() {
        let schema = JSON.schema(of: Tree.self)
        #expect(
            schema["$defs"]?["Tree"]?["properties"]?["children"]
                == ["type": "array", "items": ["$ref": "#/$defs/Tree"]]
        )
        #expect(schema["$defs"]?["Box"]?["properties"]?["tree"] == ["$ref": "#/$defs/Tree"])
    }

    @Test("two types of one name have their outer types in their names")
    func names() {
        let schema = JSON.schema(of: Order.Outer.self)
        #expect(
            schema["$defs"]?.object?.names.sorted() == ["Item.Note", "Order.Note", "Order.Outer"]
        )
    }
}
