import Testing

@testable import JSONCodec

@Suite("Rules that a value violates (JSON Schema 2020-12, validation)")
struct BrokenRulesTests {
    /// The messages for a document's root.
    private func messages(_ constraints: [Constraint], _ document: String) throws -> [String] {
        var rules = Rules()
        for constraint in constraints {
            let problem = rules.add(constraint)
            #expect(problem == nil)
        }
        let set = RuleSet(rules)
        return try Array(document.utf8).withUnsafeBytes { bytes in
            let tape = try Tape(parsing: bytes, depth: JSON.defaultDepth)
            return rules.messages(tape.brokenRules(at: 0, set.limits, set))
        }
    }

    @Test(
        "a value within its limits has no message",
        arguments: [
            (
                [.minimum(1), .maximum(9)],
                ["1", "9", "9.0", "1e0", "90e-1", #""x""#, "null", "[]"]
            ),
            ([.exclusiveMinimum(0), .exclusiveMaximum(1), .multipleOf(0.1)], ["0.3", "1e-1"]),
            ([.multipleOf(3)], ["0", "-9", "3e20", "9.0"]),
            // Characters are code points: §6.3.1.
            ([.minLength(1), .maxLength(3)], [#""🙂🙂🙂""#, #""\ud83d\ude42""#, "0", "{}"]),
            ([.pattern("^[A-Z]{3}$")], [#""EUR""#, #""\u0045UR""#]),
            ([.format(.email)], [#""ada@example.org""#]),
            ([.minItems(1), .maxItems(2), .uniqueItems], [#"["a","b"]"#, "[[1],[2]]", "1"]),
        ] as [([Constraint], [String])]
    )
    func kept(constraints: [Constraint], documents: [String]) throws {
        for document in documents {
            #expect(try messages(constraints, document) == [], "\(document)")
        }
    }

    @Test(
        "a value beyond a limit has a message for each violated limit",
        arguments: [
            ([.minimum(1), .maximum(9)], ["0", "10", "9.1", "1e99"], ["expected 1 to 9"]),
            ([.minimum(1)], ["0.9", "-1e400"], ["expected at least 1"]),
            ([.maximum(1)], ["1.0000000000000000001"], ["expected at most 1"]),
            ([.exclusiveMinimum(0)], ["0", "-0"], ["expected more than 0"]),
            ([.exclusiveMaximum(1)], ["1.0", "1"], ["expected less than 1"]),
            ([.multipleOf(0.1)], ["0.35"], ["expected a multiple of 0.1"]),
            ([.minLength(2)], [#""""#, #""\n""#], ["expected at least 2 characters"]),
            ([.minLength(2), .maxLength(2)], [#""abc""#], ["expected 2 characters"]),
            ([.maxLength(3)], [#""e\u0301e\u0301""#], ["expected at most 3 characters"]),
            ([.pattern("^[A-Z]$")], [#""a""#], ["expected a text that matches ^[A-Z]$"]),
            ([.pattern("^[a-z]+$", "small letters")], [#""A""#], ["expected small letters"]),
            ([.format(.email)], [#""ada""#], ["expected an e-mail address"]),
            ([.minItems(1), .maxItems(2)], ["[]", "[1,2,3]"], ["expected 1 to 2 elements"]),
            (
                [.uniqueItems], [#"["a","a"]"#, "[1,1.0]", "[[1],[10e-1]]"],
                ["expected no two equal elements"]
            ),
            (
                [.minimum(1), .multipleOf(2)], ["-1"],
                ["expected at least 1", "expected a multiple of 2"]
            ),
        ] as [([Constraint], [String], [String])]
    )
    func broken(constraints: [Constraint], documents: [String], expected: [String]) throws {
        for document in documents {
            #expect(try messages(constraints, document) == expected, "\(document)")
        }
    }
}
