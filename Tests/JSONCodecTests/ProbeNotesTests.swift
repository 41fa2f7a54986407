import JSONCodec
import Testing

private struct Stubborn: Codable {
    let text: String
    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard text == "sesame" else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no"))
        }
    }
}
private struct Door: Codable { var number: Int; var word: Stubborn; var after: Int }
/// Rejects the example of its own schema.
private struct Hedge: Codable, SchemaDescribing {
    static var schema: JSON { ["type": "string", "examples": [""]] }
    let word: Stubborn
    init(from decoder: any Decoder) throws { word = try Stubborn(from: decoder) }
}
private struct Garden: Codable { var hedge: Hedge }
private enum Payment: Codable { case cash(Int), card(String) }

@Suite("Members that a type requests")
struct ProbeNotesTests {
    @Test("members requested before a type rejects its samples are found")
    func stubborn() {
        let door = JSON.schema(of: Door.self)["$defs"]?["Door"]
        #expect(door?["properties"]?.object?.names == ["number", "word"])
    }

    /// The errors of a type's shape.
    private func problems<T: Decodable>(_ type: T.Type) -> [String] {
        let finder = ShapeFinder(isForSchema: false)
        _ = finder.shape(of: type)
        return finder.shapes.problems
    }

    @Test("if members can't be found, the error names the type to describe")
    func gaps() {
        #expect(
            problems(Door.self) == [
                "the members of Door after word can't be found, since Stubborn rejects all samples. "
                    + "Conform Stubborn to SchemaDescribing, with an example in its schema"
            ]
        )
        #expect(problems(Garden.self).first?.contains("Conform Hedge to") == true)
        let payment =
            "the members of Payment can't be found, as those of an enum with associated values. "
            + "Conform Payment to SchemaDescribing, with an example in its schema"
        struct Bill: Decodable { var payment: Payment; var sum: Int }
        struct Bills: Decodable { var bills: [Bill]; var first: Bill; var last: Payment? }
        #expect(problems(Payment.self) == [payment])
        #expect(problems(Payment?.self) == [payment])
        #expect(problems(Bill.self) == [payment])
        // Once for the type that causes it, not for each type around it.
        #expect(problems(Bills.self) == [payment])
        struct Two: Decodable { var bill: Bill?; var door: Door? }
        #expect(problems(Two.self).count == 2)
    }

    @Test("no error is reported if all members are found, even if the type rejects its samples")
    func noGaps() {
        struct Span: Decodable {
            var start: Int
            var end: Int
            enum CodingKeys: CodingKey { case start, end }
            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                start = try values.decode(Int.self, forKey: .start)
                end = try values.decode(Int.self, forKey: .end)
                guard start < end else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: [], debugDescription: "expected a start before the end")
                    )
                }
            }
        }
        struct Empty: Decodable {}
        #expect(problems(Stubborn.self) == [])
        #expect(problems(Span.self) == [])
        #expect(problems(Empty.self) == [])
        #expect(problems([String: [Span]?].self) == [])
    }
}
