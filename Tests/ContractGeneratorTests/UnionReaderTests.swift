import Testing

@testable import ContractGenerator

@Suite("Types of variants")
struct UnionReaderTests {
    private static let objects =
        #""A":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}},"B":{"type":"object","required":["b"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#
    private static let both = #"[{"$ref":"@A"},{"$ref":"@B"}]"#

    @Test("kinds of values tell variants apart, and there is room for others")
    func kinds() throws {
        let output = try Generated.schemas(
            #"{"Root":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"array","items":{"type":"string"}},{"type":"null"}]}}"#
        )
        for line in [
            "case integer(Int)", "case string(String)", "case array([String])",
            "case unrecognized(JSON)",
            "if json.int != nil, let value = try? json.decode(Int.self) {",
            "class GetRoot: Action<Void, Root?>, GET {",
        ] {
            #expect(output.has(line), "\(line)")
        }
    }

    @Test("several types are variants, too")
    func types() throws {
        let output = try Generated.schemas(#"{"Root":{"type":["string","integer"]}}"#)
        #expect(output.has("case integer(Int)") && output.has("case string(String)"))
    }

    @Test("the variant with the distinctive member is tested first")
    func order() throws {
        let output = try Generated.schemas("{\"Root\":{\"oneOf\":\(Self.both)},\(Self.objects)}")
        let tests = output.lines.filter { $0.hasPrefix("if json.object") }
        #expect(tests.count == 2 && tests[0].contains(#"json["b"] != nil"#), "\(tests)")
    }

    @Test("variants without distinctive members are JSON with a note")
    func ambiguous() throws {
        for variants in [
            #"[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]"#,
            #"[{"type":"array","items":{"type":"string"}},{"type":"array","items":{"type":"integer"}}]"#,
        ] {
            let output = try Generated.schemas(
                "{\"Root\":{\"type\":\"object\",\"properties\":{\"x\":{\"oneOf\":\(variants)}}}}"
            )
            #expect(output.has("var x: JSON?"), "\(output.text)")
            #expect(output.notes.map(\.pointer) == ["/components/schemas/Root/properties/x"])
        }
    }

    @Test("a discriminator names the variant, and is sent")
    func discriminator() throws {
        let output = try Generated.schemas(
            "{\"Root\":{\"oneOf\":\(Self.both),\"discriminator\":{\"propertyName\":\"kind\",\"mapping\":{\"one\":\"A\",\"two\":\"@B\"}}},\(Self.objects)}"
        )
        #expect(
            output.has(
                #"if ["one"].contains(json["kind"]?.string), let value = try? json.decode(A.self) {"#
            )
        )
        #expect(output.has(#"json["kind"] = .string("two")"#))
    }

    @Test("texts and lists of texts are one enum")
    func texts() throws {
        let output = try Generated.schemas(
            #"{"Root":{"anyOf":[{"type":"string"},{"type":"string","enum":["a","b"]}]}}"#
        )
        #expect(output.has("case a") && output.has("case unrecognized(String)"))
        let plain = try Generated.schemas(
            #"{"Root":{"anyOf":[{"type":"string"},{"type":"string"}]}}"#
        )
        #expect(plain.has("class GetRoot: Action<Void, String>, GET {"))
    }

    @Test("variants that only require members limit an object")
    func limits() throws {
        let output = try Generated.schemas(
            #"{"Root":{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}}"#
        )
        #expect(output.has("struct Root: Codable, Hashable, Sendable {"))
    }

    @Test("a union that contains itself is indirect")
    func recursion() throws {
        let output = try Generated.schemas(
            #"{"Root":{"oneOf":[{"type":"string"},{"$ref":"@Not"}]},"Not":{"type":"object","required":["not"],"properties":{"not":{"$ref":"@Root"}}}}"#
        )
        #expect(output.has("indirect enum Root: Codable, Hashable, Sendable {"))
        #expect(output.has("var not: Root"))
    }
}
