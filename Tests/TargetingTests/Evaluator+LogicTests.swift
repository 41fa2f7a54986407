import Testing

@testable import Targeting

@Suite("Rules: paths, comparisons and arithmetic")
struct EvaluatorLogicTests {
    @Test("var reads dotted paths, and returns null or a default if the path is missing")
    func variables() throws {
        try EvaluatorTests.expect(
            #"""
            {"var": "name"} → "Ada"
            {"var": ["name"]} → "Ada"
            {"var": "targetingKey"} → "ada"
            {"var": "address.city"} → "London"
            {"var": "address.lines.1"} → "12"
            {"var": "tags.0"} → "math"
            {"var": "tags.2"} → null
            {"var": "tags.-1"} → null
            {"var": "tags.00"} → null
            {"var": "tags.length"} → null
            {"var": "name.0"} → null
            {"var": "a."} → 7
            {"var": "address.city.street"} → null
            {"var": "Name"} → null
            {"var": ["absent", 5]} → 5
            {"var": ["nothing", 5]} → null
            {"var": ["nothing.more", 5]} → 5
            {"var": ["absent", {"var": "age"}]} → 36
            {"var": {"cat": ["address", ".", "city"]}} → "London"
            {"var": [{"if": [{"var": "yes"}, "age", "name"]}]} → 36
            {"map": [[[1, 2], [3, 4]], {"var": 1}]} → [2,4]
            {"map": [[1, 2], {"var": ""}]} → [1,2]
            {"map": [[1, 2], {"var": []}]} → [1,2]
            {"map": [[1, 2], {"var": null}]} → [1,2]
            {"var": "$flagd.flagKey"} → "Banner/show"
            {"var": "$flagd.timestamp"} → 1700000000
            {"var": {"cat": ["$flagd.", "flagKey"]}} → "Banner/show"
            {"map": [[1], {"var": "$flagd.flagKey"}]} → [null]
            """#
        )
    }

    @Test("missing and missing_some list paths whose value is missing, null or empty")
    func missing() throws {
        try EvaluatorTests.expect(
            #"""
            {"missing": ["name", "age", "zero", "none"]} → []
            {"missing": ["phone", "nothing", "empty", "address.zip"]} → ["phone","nothing","empty","address.zip"]
            {"missing": "phone"} → ["phone"]
            {"missing": [["phone", "name"]]} → ["phone"]
            {"missing": {"merge": ["name", {"if": [{"var": "yes"}, ["phone"], []]}]}} → ["phone"]
            {"missing": []} → []
            {"missing_some": [1, ["phone", "name"]]} → []
            {"missing_some": [2, ["phone", "name", "fax"]]} → ["phone","fax"]
            {"missing_some": [{"var": "zero"}, ["phone"]]} → []
            """#
        )
    }

    @Test("== is JavaScript's loose equality")
    func looseEquality() throws {
        try EvaluatorTests.expect(
            #"""
            {"==": [1, 1.0]} → true
            {"==": ["1", 1]} → true
            {"==": [1, " 1.0 "]} → true
            {"==": ["0x10", 16]} → true
            {"==": ["1e3", 1000]} → true
            {"==": ["1_000", 1000]} → false
            {"==": [true, 1]} → true
            {"==": [true, "1"]} → true
            {"==": [true, "true"]} → false
            {"==": [false, ""]} → true
            {"==": [0, ""]} → true
            {"==": [null, 0]} → false
            {"==": [null, false]} → false
            {"==": [null, {"var": "absent"}]} → true
            {"==": ["1", "1.0"]} → false
            {"==": ["\u00e9", "e\u0301"]} → false
            {"==": [{"var": "tags"}, "math,poems"]} → true
            {"==": [{"var": "none"}, 0]} → true
            {"==": [[1], 1]} → true
            {"==": [[1], [1]]} → false
            {"==": [{"var": "tags"}, {"var": "tags"}]} → false
            {"==": [{"var": "address"}, "[object Object]"]} → true
            {"!=": [1, "1"]} → false
            {"!=": [1, 2]} → true
            """#
        )
    }

    @Test("=== compares types as well")
    func strictEquality() throws {
        try EvaluatorTests.expect(
            #"""
            {"===": [1, 1.0]} → true
            {"===": [1, "1"]} → false
            {"===": [{"var": "absent"}, null]} → true
            {"===": [true, 1]} → false
            {"!==": [1, "1"]} → true
            {"!==": ["a", "a"]} → false
            """#
        )
    }

    @Test(
        "<, <=, > and >= compare numbers, or texts by UTF-16 units; other values are false"
    )
    func order() throws {
        try EvaluatorTests.expect(
            #"""
            {"<": [{"var": "age"}, 40]} → true
            {"<": ["10", 9]} → false
            {"<": ["10", "9"]} → true
            {"<": [null, 1]} → true
            {"<": ["a", 1]} → false
            {">=": ["a", 1]} → false
            {"<": [18, {"var": "age"}, 65]} → true
            {"<=": [36, {"var": "age"}, 36]} → true
            {"<": [36, {"var": "age"}, 65]} → false
            {">": [2, true]} → true
            {">=": [{"var": "absent"}, 0]} → true
            {">": [{"var": "absent"}, 0]} → false
            {"<": ["\ud83d\ude00", "\uf900"]} → true
            {"<": ["\ud7fb", "\ud83d\ude00"]} → true
            {"<": ["a", "ab"]} → true
            {"<": ["Z", "a"]} → true
            """#
        )
    }

    @Test("arithmetic converts texts to numbers as in JavaScript")
    func arithmetic() throws {
        try EvaluatorTests.expect(
            #"""
            {"+": [1, "2", "3px"]} → 6
            {"+": "-5.5"} → -5.5
            {"+": [{"var": "name"}, 1]} → null
            {"*": [2, "3", 4]} → 24
            {"*": ["7"]} → 7
            {"-": [{"var": "age"}, "6"]} → 30
            {"-": [{"var": "score"}]} → -1.5
            {"/": [1, 4]} → 0.25
            {"/": [1, {"var": "zero"}]} → null
            {"%": [7, 4]} → 3
            {"%": [-7, 4]} → -3
            {"%": [5.5, 2]} → 1.5
            {"max": [1, "20", 3]} → 20
            {"min": [1, {"var": "zero"}, 3]} → 0
            {"max": [1, {"var": "name"}]} → null
            {"<": [{"/": [1, {"var": "zero"}]}, 1]} → false
            {">": [{"/": [1, {"var": "zero"}]}, 1]} → true
            """#
        )
    }
}
