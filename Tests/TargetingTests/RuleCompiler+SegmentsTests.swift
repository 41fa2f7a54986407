import JSONCodec
import Testing

@testable import Targeting

@Suite("Segments")
struct RuleCompilerSegmentsTests {
    @Test("a segment is true or false, and sees the complete context, wherever it is used")
    func values() throws {
        let segments: JSON.Object = [
            "latvia": ["==": [["var": "country"], "LV"]],
            "old": ["<": [["var": "age"], 30]],
            "target": ["and": [["segment": "latvia"], ["!": ["segment": "old"]]]],
            "name": ["var": "country"],
        ]
        let context = try TargetingContext(properties: ["country": "LV", "age": 36])
        func value(_ rule: JSON) throws -> JSON {
            try TargetingRule(rule, segments: segments).evaluate(context).value
        }
        #expect(try value(["segment": "latvia"]) == true)
        #expect(try value(["segment": ["old"]]) == false)
        #expect(try value(["segment": "target"]) == true)
        #expect(try value(["segment": "name"]) == true)
        #expect(try value(["map": [[1, 2], ["segment": "target"]]]) == [true, true])
    }

    @Test("a segment's roll-out selects the same users wherever it is used")
    func keys() throws {
        let segments: JSON.Object = [
            "half": ["rollout": 50], "key": ["==": [["var": "$flagd.flagKey"], "key"]],
        ]
        let direct = try TargetingRule(["rollout": 50], key: "half")
        let one = try TargetingRule(["segment": "half"], key: "one", segments: segments)
        let two = try TargetingRule(
            ["or": [["segment": "half"], false]],
            key: "two",
            segments: segments
        )
        let other = try TargetingRule(["rollout": 50], key: "one")
        var differs = false
        for user in 0..<100 {
            let context = try TargetingContext(targetingKey: "user-\(user)")
            #expect(one.holds(for: context) == direct.holds(for: context))
            #expect(two.holds(for: context) == direct.holds(for: context))
            if other.holds(for: context) != one.holds(for: context) { differs = true }
        }
        #expect(differs)
        #expect(
            try TargetingRule(["segment": "key"], key: "x", segments: segments).holds(for: .empty)
        )
        let after = try TargetingRule(
            ["if": [["segment": "key"], ["var": "$flagd.flagKey"]]],
            key: "x",
            segments: segments
        )
        #expect(after.evaluate(.empty).value == "x")
    }

    private func problems(_ segments: JSON.Object) -> [String] {
        do {
            _ = try TargetingRule(true, segments: segments)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("a segment that refers to itself is rejected with location and cycle")
    func cycles() {
        #expect(problems(["a": ["segment": "a"]]) == ["/segments/a/segment: a cycle: a → a"])
        #expect(
            problems([
                "a": ["and": [true, ["segment": "b"]]], "b": ["!": ["segment": "c"]],
                "c": ["or": [["segment": "d"], ["segment": "a"]]], "d": true,
            ]) == ["/segments/c/or/1/segment: a cycle: a → b → c → a"]
        )
        #expect(
            problems(["a": ["segment": "b"], "b": ["or": [["segment": "a"], ["segment": "b"]]]])
                == [
                    "/segments/b/or/0/segment: a cycle: a → b → a",
                    "/segments/b/or/1/segment: a cycle: b → b",
                ]
        )
        #expect(
            problems([
                "a": ["and": [["segment": "c"], ["segment": "b"]]], "b": ["segment": "c"],
                "c": true,
            ]).isEmpty
        )
    }

    @Test("an invalid segment name, and a segment that isn't a rule, are rejected")
    func refused() {
        let name = "expected a name of 1 to 64 letters, digits, '-', '_' and '.'"
        for wrong in ["", "a b", "ä", "a/b", String(repeating: "a", count: 65)] {
            let escaped = wrong.split(separator: "/").joined(separator: "~1")
            #expect(problems([wrong: true]) == ["/segments/\(escaped): \(name)"])
        }
        #expect(problems(["A-1_b.c": true]).isEmpty)
        #expect(
            problems(["a": "yes", "b": ["nope": 1]]) == [
                "/segments/a: expected a rule: an object with one operation, true or false",
                "/segments/b/nope: no such operation",
            ]
        )
        let many = JSON.Object((0...1_000).map { ("s\($0)", JSON.bool(true)) })
        #expect(problems(many) == ["/segments: more than 1,000 segments"])
    }

    @Test("a chain of a hundred segments is too deep, reported for each one above the limit")
    func chain() {
        let chain = JSON.Object(
            (0..<100).map { ("s\($0)", ["segment": .string("s\($0 + 1)")]) as (String, JSON) } + [
                ("s100", true)
            ]
        )
        let described = problems(chain)
        #expect(described.count == 37)
        #expect(described.first == "/segments/s0: nests deeper than 64, with its segments")
    }

    @Test("a segment that is used repeatedly is evaluated once")
    func doubling() throws {
        var segments: JSON.Object = ["s0": ["==": [["var": "x"], 1]]]
        for place in 1...20 {
            let before: JSON = ["segment": .string("s\(place - 1)")]
            segments["s\(place)"] = ["!": ["and": [before, before]]]
        }
        let outcome = try TargetingRule(["segment": "s20"], segments: segments)
            .evaluate(TargetingContext(properties: ["x": 1]))
        #expect(outcome.problem == nil)
        #expect(outcome.isTrue)
    }
}
