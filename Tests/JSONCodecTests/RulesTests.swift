import Testing

@testable import JSONCodec

@Suite("Rules of a value")
struct RulesTests {
    private func problem(_ constraints: [Constraint]) -> String? {
        var rules = Rules()
        return constraints.compactMap { rules.add($0) }.first
    }

    @Test(
        "limits that exclude all values are reported",
        arguments: [
            [.minimum(3), .maximum(2)], [.maxLength(1), .minLength(2)],
            [.minItems(2), .maxItems(1)],
            [.minLength(-1)], [.maxItems(-1)],
        ] as [[Constraint]]
    )
    func contradictions(constraints: [Constraint]) {
        #expect(problem(constraints) == "no value satisfies all limits")
    }

    @Test("an impossible unit or pattern is reported")
    func impossible() {
        #expect(problem([.multipleOf(0)]) == "a value can't be a multiple of 0")
        #expect(problem([.multipleOf(-2)]) == "a value can't be a multiple of -2")
        #expect(problem([.pattern("(")])?.hasPrefix("the pattern ( can't be used: ") == true)
    }

    @Test("constraints are checked, documentation isn't")
    func isChecked() {
        func isChecked(_ constraint: Constraint) -> Bool {
            var rules = Rules()
            _ = rules.add(constraint)
            return rules.isChecked
        }
        let checked: [Constraint] = [
            .minimum(0), .exclusiveMaximum(1), .multipleOf(1), .minLength(0), .pattern("a"),
            .format(.uri), .maxItems(1), .uniqueItems,
        ]
        for constraint in checked { #expect(isChecked(constraint)) }
        let documentation: [Constraint] = [
            .description("a"), .example(1), .default(1), .deprecated,
        ]
        for constraint in documentation { #expect(!isChecked(constraint)) }
    }
}
