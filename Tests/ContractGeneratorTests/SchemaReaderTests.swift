import Testing

@testable import ContractGenerator

@Suite("Types of schemas")
struct SchemaReaderTests {
    @Test(
        "a value has Swift's type",
        arguments: [
            (#"{"type":"string"}"#, "String"), (#"{"type":"string","format":"uuid"}"#, "UUID"),
            (#"{"type":"string","format":"date-time"}"#, "Date"),
            (#"{"type":"string","format":"date"}"#, "String"),
            (#"{"type":"string","format":"byte"}"#, "Data"),
            (#"{"type":"string","contentEncoding":"base64"}"#, "Data"),
            (#"{"type":"string","format":"unknown"}"#, "String"),
            (#"{"type":"integer"}"#, "Int"), (#"{"type":"integer","format":"int32"}"#, "Int32"),
            (#"{"type":"integer","format":"uint64"}"#, "UInt64"),
            (#"{"type":"number"}"#, "Double"), (#"{"type":"number","format":"float"}"#, "Float"),
            (#"{"type":"boolean"}"#, "Bool"), (#"{}"#, "JSON"), ("true", "JSON"),
            (#"{"type":"object"}"#, "JSON"), (#"{"type":"mystery"}"#, "JSON"),
            (#"{"type":"array","items":{"type":"array","items":{"type":"number"}}}"#, "[[Double]]"),
            (#"{"type":"array"}"#, "[JSON]"),
            (#"{"type":"array","items":{"type":["string","null"]}}"#, "[String?]"),
            (#"{"type":"object","additionalProperties":{"type":"integer"}}"#, "[String: Int]"),
            (#"{"items":{"type":"string"}}"#, "[String]"), (#"{"const":"a"}"#, "String"),
            (#"{"enum":[1.5,2]}"#, "Double"), (#"{"enum":[true,false]}"#, "Bool"),
            (#"{"enum":["a",1]}"#, "JSON"),
            (#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, "String?"),
            (#"{"type":["integer","null"]}"#, "Int?"),
            (#"{"allOf":[{"type":"string"}],"description":"d"}"#, "String"),
        ]
    )
    func values(_ schema: String, _ type: String) throws {
        let output = try Generated.schemas("{\"Root\":\(schema)}")
        #expect(output.has("class GetRoot: Action<Void, \(type)>, GET {"), "\(output.text)")
    }

    @Test("OpenAPI 3.0 has nullable")
    func nullable() throws {
        let output = try Generated.schemas(
            #"{"Root":{"type":"object","required":["a"],"properties":{"a":{"type":"string","nullable":true},"b":{"$ref":"@B"}}},"B":{"type":"integer"}}"#,
            version: "3.0.3"
        )
        #expect(output.has("var a: String?") && output.has("var b: Int?"))
        #expect(output.has("init(a: String?, b: Int? = nil) {"))
        // A required member is sent as null.
        #expect(output.has("try container.encode(a, forKey: .a)"))
        #expect(output.has("try container.encodeIfPresent(b, forKey: .b)"))
    }

    @Test("an enum accepts other values, and equal names get numbers")
    func enumerations() throws {
        let output = try Generated.schemas(
            #"{"Root":{"type":"string","enum":["a-b","a_b","self","1","a-b",null,"unrecognized"]}}"#
        )
        for line in [
            "case aB", "case aB2", "case self_", "case value1", "case unrecognized2",
            "case unrecognized(String)", #"case "a_b": self = .aB2"#,
            "class GetRoot: Action<Void, Root?>, GET {",
        ] {
            #expect(output.has(line), "\(line)")
        }
        #expect(output.lines.filter { $0 == "case aB" }.count == 1)
    }

    @Test("allOf is merged, through references and within itself")
    func merged() throws {
        let output = try Generated.schemas(
            #"{"Root":{"allOf":[{"$ref":"@A"},{"allOf":[{"properties":{"c":{"type":"integer"}}}],"required":["a"]}]},"A":{"type":"object","properties":{"a":{"type":"string"}}}}"#
        )
        #expect(output.has("init(a: String, c: Int? = nil) {"), "\(output.text)")
    }

    @Test("a type that contains itself is in a box, and a list needs none")
    func recursion() throws {
        let output = try Generated.schemas(
            #"{"Root":{"type":"object","properties":{"next":{"$ref":"@Root"},"all":{"type":"array","items":{"$ref":"@Root"}},"b":{"$ref":"@B"}}},"B":{"type":"object","properties":{"root":{"$ref":"@Root"}}}}"#
        )
        for line in [
            "var next: Boxed<Root>?", "var all: [Root]?", "var b: Boxed<B>?",
            "var root: Boxed<Root>?",
        ] {
            #expect(output.has(line), "\(line)")
        }
    }

    @Test(
        "a reference that leads nowhere is JSON with a note",
        arguments: [
            "@None", "other.json#/A", "https://example.com/a.json", "#/paths/~1none",
            "@Loop", "@A%zz", "", "#x",
        ]
    )
    func lost(_ reference: String) throws {
        let output = try Generated.schemas(
            #"{"Root":{"type":"object","properties":{"a":{"$ref":"\#(reference)"}}},"Loop":{"$ref":"@Loop2"},"Loop2":{"$ref":"@Loop"}}"#
        )
        #expect(output.has("var a: JSON?"))
        #expect(output.notes.contains { $0.reason.contains("JSON without a type") })
    }

    @Test("readOnly members are absent from inputs, writeOnly ones from outputs")
    func directions() throws {
        let output = try Generated.fixture("pets")
        #expect(output.has("class UpdatePet: Action<PetInput, Pet>, PUT {"))
        let input = output.text.split(separator: "struct PetInput")[1].prefix { $0 != "}" }
        #expect(input.contains("secret") && !input.contains("var id"))
        let pet = output.text.split(separator: "struct Pet:")[1].prefix { $0 != "}" }
        #expect(pet.contains("var id") && !pet.contains("secret"))
    }

    @Test("other members of an object are a dictionary")
    func additional() throws {
        let output = try Generated.schemas(
            #"{"Root":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}}"#
        )
        #expect(output.has("var additional: [String: Int]"))
        #expect(output.has("init(a: String? = nil, additional: [String: Int] = [:]) {"))
    }
}
