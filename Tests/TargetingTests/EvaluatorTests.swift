import JSONCodec
import Testing

@testable import Targeting

@Suite("Rules: truth and choices")
struct EvaluatorTests {
    /// The context of the rows.
    static let ada = #"""
        {"targetingKey": "ada", "name": "Ada", "age": 36, "score": 1.5, "zero": 0, "empty": "",
         "nothing": null, "yes": true, "tags": ["math", "poems"], "none": [], "version": "2.1.0-rc.2",
         "address": {"city": "London", "lines": ["St James", "12"]}, "sums": [1, 2, 3, 4], "a": {"": 7}}
        """#

    /// Checks the values of rules for this context, without problems.
    static func expect(
        _ rows: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let context = try TargetingContext(JSON(parsing: ada.utf8), timestamp: 1_700_000_000)
        for row in rows.split(separator: "\n") {
            let parts = row.split(separator: " → ")
            try #require(parts.count == 2, "\(row)", sourceLocation: sourceLocation)
            let rule = try TargetingRule(JSON(parsing: parts[0].utf8), key: "Banner/show")
            let outcome = rule.evaluate(context)
            let expected = try JSON(parsing: parts[1].utf8)
            #expect(outcome.value == expected, "\(row)", sourceLocation: sourceLocation)
            #expect(outcome.problem == nil, "\(row)", sourceLocation: sourceLocation)
            #expect(
                rule.holds(for: context) == outcome.isTrue,
                "\(row)",
                sourceLocation: sourceLocation
            )
        }
    }

    @Test(
        "and, or, ! and !! use JSONLogic's truth: empty lists and texts, 0 and null are false"
    )
    func logic() throws {
        try Self.expect(
            #"""
            {"and": [1, "a", [0]]} → [0]
            {"and": [1, "", [0]]} → ""
            {"or": [0, [], "b", 1]} → "b"
            {"or": [0, [], null]} → null
            {"!": [[]]} → true
            {"!": "0"} → false
            {"!": []} → true
            {"!!": {"var": "address"}} → true
            {"!!": {"var": "nothing"}} → false
            {"if": [false, 1, 0, 2, 3]} → 3
            {"if": [false, 1, "x", 2, 3]} → 2
            {"if": [false, 1]} → null
            {"if": []} → null
            {"?:": [{"var": "yes"}, "on", "off"]} → "on"
            """#
        )
    }
}
