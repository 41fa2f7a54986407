import SeededNumbers
import Testing

@testable import JSONCodec

private struct Node: Codable, Constrained {
    var id: Int?
    var size: Int?
    var ratio: Double?
    var name: String?
    var mail: String?
    var labels: [String]?
    var marks: [String: Int]?
    var parts: [Node]?
    var tags: [String]?

    static var constraints: Constraints {
        [
            "id": [.minimum(1), .maximum(9)],
            "size": [.exclusiveMinimum(0), .exclusiveMaximum(10), .multipleOf(3)],
            "ratio": [.minimum(0.5)],
            "name": [.minLength(1), .maxLength(3), .pattern("^[^\\u0000]*$")],
            "mail": [.format(.email)],
            "labels": [.minItems(1), .maxItems(2), .items(.maxLength(2))],
            "tags": [.uniqueItems],
        ]
    }
}

@Suite("The rule engine")
struct RuleEngineTests {
    private let content = DecodingContract.of(Node.self).content

    /// Whether the engine admits a document, and whether it finds no failure.
    private func look(_ document: String) throws -> (isAdmitted: Bool, isKept: Bool) {
        try Array(document.utf8).withUnsafeBytes { bytes in
            let tape = Tape(bytes)
            var parser = TapeParser(tape, depth: JSON.defaultDepth)
            try parser.document()
            let engine = RuleEngine(content.shape, content.shapes)
            return (engine.admits(tape), engine.failures(tape).isEmpty)
        }
    }

    @Test(
        "admits documents that satisfy the rules",
        arguments: [
            "{}", #"{"id":1}"#, #"{"id":9.0}"#, #"{"id":9e0,"size":9}"#, #"{"size":3}"#,
            #"{"name":"ada"}"#, #"{"name":"🙂🙂🙂"}"#, #"{"name":"\u00e9\n"}"#, #"{"name":null}"#,
            #"{"mail":"a@b.c"}"#, #"{"labels":["ab"]}"#, #"{"labels":["","ab"]}"#,
            #"{"marks":{"a":1}}"#, #"{"parts":[{"id":1,"parts":[]},{"name":"a"}]}"#,
            #"{"other":[1,{"id":0}]}"#,
        ]
    )
    func admitted(_ document: String) throws {
        let (isAdmitted, isKept) = try look(document)
        #expect(isAdmitted && isKept)
    }

    @Test(
        "doesn't admit a document that violates a rule",
        arguments: [
            #"{"id":0}"#, #"{"id":10}"#, #"{"size":0}"#, #"{"size":10}"#, #"{"size":4}"#,
            #"{"ratio":0.4}"#, #"{"name":""}"#, #"{"name":"abcd"}"#, #"{"name":"a\u0000"}"#,
            #"{"mail":"a"}"#, #"{"labels":[]}"#, #"{"labels":["a","b","c"]}"#,
            #"{"labels":["abc"]}"#, #"{"parts":[{"id":1},{"parts":[{"id":0}]}]}"#,
            #"{"tags":["a","a"]}"#,
        ]
    )
    func held(_ document: String) throws {
        let (isAdmitted, isKept) = try look(document)
        #expect(!isAdmitted && !isKept)
    }

    @Test(
        "admits documents whose rules need exact arithmetic or all elements",
        arguments: [#"{"ratio":0.5}"#, #"{"ratio":7}"#, #"{"tags":["a"]}"#, #"{"id":1,"tags":[]}"#]
    )
    func exact(_ document: String) throws {
        let (isAdmitted, isKept) = try look(document)
        #expect(isAdmitted && isKept)
    }

    @Test("admits exactly the documents without failures, of 20,000 random ones")
    func random() throws {
        var random = SeededNumbers(seed: 7)
        func value(_ depth: Int) -> String {
            func any(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "0" }
            return switch Int.random(in: 0..<(depth > 3 ? 4 : 7), using: &random) {
            case 0:
                any(["0", "1", "3", "9", "10", "-1", "1.0", "0.5", "1e1", "99999999999999999999"])
            case 1: any(["\"\"", "\"a\"", "\"abc\"", "\"abcd\"", "\"\\u0000\"", "\"a@b.c\""])
            case 2: "null"
            case 3: "true"
            case 4: "[" + (0..<2).map { _ in value(depth + 1) }.joined(separator: ",") + "]"
            default: object(depth + 1)
            }
        }
        func object(_ depth: Int) -> String {
            let names = ["id", "size", "ratio", "name", "mail", "labels", "marks", "parts", "tags"]
                .shuffled(using: &random).prefix(2)
            return "{" + names.map { "\"\($0)\":\(value(depth))" }.joined(separator: ",") + "}"
        }
        var admitted = 0
        for _ in 0..<20_000 {
            let document = object(0)
            let (isAdmitted, isKept) = try look(document)
            if isAdmitted { admitted += 1 }
            if isAdmitted != isKept { Issue.record("\(document)") }
        }
        #expect(admitted > 1_000)
    }
}
