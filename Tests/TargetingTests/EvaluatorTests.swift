import JSONCodec
import Testing

@testable import Targeting

@Suite("Rules: what the operations give")
struct EvaluatorTests {
    /// The context of the rows.
    static let ada = #"""
        {"targetingKey": "ada", "name": "Ada", "age": 36, "score": 1.5, "zero": 0, "empty": "",
         "nothing": null, "yes": true, "tags": ["math", "poems"], "none": [], "version": "2.1.0-rc.2",
         "address": {"city": "London", "lines": ["St James", "12"]}, "sums": [1, 2, 3, 4], "a": {"": 7}}
        """#

    /// Checks the values of rules for this context, without problems.
    private static func expect(
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

    @Test("var reads dotted paths, and gives null or a default where there is nothing")
    func variables() throws {
        try Self.expect(
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

    @Test("missing and missing_some name the paths that lead to nothing, null or an empty text")
    func missing() throws {
        try Self.expect(
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
        try Self.expect(
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

    @Test("=== wants the same type")
    func strictEquality() throws {
        try Self.expect(
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
        "<, <=, > and >= compare numbers, texts by their UTF-16 units, and say no where one is none"
    )
    func order() throws {
        try Self.expect(
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

    @Test(
        "and, or, ! and !! look at JSONLogic's truth: empty lists and texts, 0 and null are false"
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

    @Test("arithmetic takes numbers from texts as JavaScript does")
    func arithmetic() throws {
        try Self.expect(
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

    @Test("map and its like go through lists, with each element as the context")
    func lists() throws {
        try Self.expect(
            #"""
            {"map": [{"var": "sums"}, {"*": [{"var": ""}, 2]}]} → [2,4,6,8]
            {"map": [{"var": "absent"}, {"var": ""}]} → []
            {"map": [{"var": "sums"}, {"var": "name"}]} → [null,null,null,null]
            {"filter": [{"var": "sums"}, {"%": [{"var": ""}, 2]}]} → [1,3]
            {"filter": [{"var": "name"}, true]} → []
            {"reduce": [{"var": "sums"}, {"+": [{"var": "current"}, {"var": "accumulator"}]}, 10]} → 20
            {"reduce": [{"var": "absent"}, {"var": "current"}, 7]} → 7
            {"reduce": [{"var": "sums"}, {"var": "current"}]} → 4
            {"all": [{"var": "sums"}, {">": [{"var": ""}, 0]}]} → true
            {"all": [{"var": "none"}, true]} → false
            {"none": [{"var": "none"}, true]} → true
            {"none": [{"var": "sums"}, {"==": [{"var": ""}, 3]}]} → false
            {"some": [{"var": "tags"}, {"==": [{"var": ""}, "poems"]}]} → true
            {"some": [{"var": "absent"}, true]} → false
            {"map": [[[1, 2], [3]], {"map": [{"var": ""}, {"+": [{"var": ""}, 1]}]}]} → [[2,3],[4]]
            {"merge": [1, [2, [3]], {"var": "none"}]} → [1,2,[3]]
            {"merge": []} → []
            {"in": ["poems", {"var": "tags"}]} → true
            {"in": [1, ["1"]]} → false
            {"in": [null, [null]]} → true
            {"in": [[1], [[1]]]} → false
            {"in": ["don", {"var": "address.city"}]} → true
            {"in": ["Don", {"var": "address.city"}]} → false
            {"in": ["", "a"]} → true
            {"in": ["", {"var": "empty"}]} → false
            {"in": [1, "210"]} → true
            {"in": ["a", {"var": "age"}]} → false
            """#
        )
    }

    @Test("cat joins and substr cuts, counted in UTF-16 units")
    func texts() throws {
        try Self.expect(
            #"""
            {"cat": ["I am ", {"var": "age"}, {"var": "nothing"}, "."]} → "I am 36."
            {"cat": [1, 2.50, true, [1, [2, null]], {"var": "address"}]} → "12.5true1,2,[object Object]"
            {"cat": [1e21, " ", 1e-7, " ", -0.0]} → "1e+21 1e-7 0"
            {"cat": {"/": [-1, {"var": "zero"}]}} → "-Infinity"
            {"substr": ["London", 3]} → "don"
            {"substr": ["London", -3]} → "don"
            {"substr": ["London", 1, 2]} → "on"
            {"substr": ["London", 1, -2]} → "ond"
            {"substr": ["London", -4, -2]} → "nd"
            {"substr": ["London", 9]} → ""
            {"substr": ["London", -9, 2]} → "Lo"
            {"substr": ["London", 2, -9]} → ""
            {"substr": ["a😀b", 3]} → "b"
            {"substr": ["a😀b", 0, 3]} → "a😀"
            {"substr": [1234, 1, 2]} → "23"
            {"substr": ["text", {"var": "name"}]} → "text"
            {"substr": ["text", {"/": [1, {"var": "zero"}]}]} → ""
            {"starts_with": [{"var": "address.city"}, "Lon"]} → true
            {"starts_with": [{"var": "address.city"}, "lon"]} → false
            {"starts_with": [{"var": "address.city"}, ""]} → true
            {"ends_with": [{"var": "address.city"}, "don"]} → true
            {"ends_with": [{"var": "name"}, "Lady Ada"]} → false
            """#
        )
    }

    @Test("sem_ver compares versions")
    func versions() throws {
        try Self.expect(
            #"""
            {"sem_ver": [{"var": "version"}, ">=", "2.1"]} → false
            {"sem_ver": [{"var": "version"}, ">", "v2.1.0-rc.1"]} → true
            {"sem_ver": [{"var": "version"}, "~", "2.1.9"]} → true
            {"sem_ver": [{"var": "version"}, "^", 2]} → true
            {"sem_ver": [{"var": "score"}, "=", "1.5.0"]} → true
            {"sem_ver": [{"var": "version"}, {"cat": ["!", "="]}, {"var": "version"}]} → false
            """#
        )
    }

    @Test("fractional takes a bucketing key, or the rule's key and the targeting key")
    func splits() throws {
        // Of 2³² the hash of "Banner/showada" is 0.079555…, "ada" 0.436393…, "London" 0.244707…,
        // "seedada" 0.783901….
        try Self.expect(
            #"""
            {"fractional": [["a"], ["b", null], ["c", 1]]} → "a"
            {"fractional": [{"var": "targetingKey"}, ["a", 1], ["b", 0]]} → "a"
            {"fractional": [{"var": "absent"}, ["a", 100], ["b", -5]]} → "a"
            {"fractional": [[{"cat": ["va", "lue"]}, 1]]} → "value"
            {"fractional": [[{"var": "address.city"}, {"var": "age"}]]} → "London"
            {"fractional": [{"merge": [["x"], 3]}, {"merge": ["y", 0]}]} → "x"
            {"fractional": [["a", {"if": [{"var": "yes"}, 0, 1]}], ["b", 2]]} → "b"
            {"fractional": [[false, 0], [true, 100]]} → true
            {"fractional": ["seed", [null, 1]]} → null
            {"fractional": [{"var": "targetingKey"}, ["a", 43], ["b", 57]]} → "b"
            {"fractional": [{"var": "targetingKey"}, ["a", 44], ["b", 56]]} → "a"
            {"fractional": [{"cat": ["seed", {"var": "targetingKey"}]}, ["a", 7], ["b", 2]]} → "b"
            {"fractional": [{"cat": ["seed", {"var": "targetingKey"}]}, ["a", 8], ["b", 2]]} → "a"
            {"rollout": 7.955} → false
            {"rollout": 7.956} → true
            {"rollout": [{"var": "address.city"}, 24.47]} → false
            {"rollout": [{"var": "address.city"}, 24.471]} → true
            {"rollout": [{"cat": ["seed", {"var": "targetingKey"}]}, 78.39]} → false
            {"rollout": [{"cat": ["seed", {"var": "targetingKey"}]}, 78.391]} → true
            {"rollout": 0} → false
            {"rollout": 100} → true
            {"rollout": [{"var": "address.city"}, 100]} → true
            {"rollout": [{"var": "absent"}, 100]} → true
            {"rollout": [{"cat": ["seed", {"var": "targetingKey"}]}, 100]} → true
            """#
        )
    }
}
