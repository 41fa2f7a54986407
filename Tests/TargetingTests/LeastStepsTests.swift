import Behaviors
import JSONCodec
import Testing

@testable import Targeting

@Suite("Minimum steps of a document's rules")
struct LeastStepsTests {
    private func behavior(_ text: String) throws -> TargetedBehavior {
        try TargetedBehavior(json: Array(text.utf8))
    }

    private func behavior(of rule: String) throws -> TargetedBehavior {
        try behavior(#"[{"name": "A", "actions": [{"func": "f", "when": \#(rule)}]}]"#)
    }

    private static let rules = [
        "true", "false", #"{"!": true}"#, #"{"==": [{"var": "n"}, 2]}"#,
        #"{"==": [{"var": ["none", 7]}, 7]}"#, #"{"var": {"cat": ["a", {"var": "t"}]}}"#,
        #"{"and": [{"var": "n"}, {"==": [1, 1]}, {"var": "t"}]}"#, #"{"or": [{"var": "n"}, true]}"#,
        #"{"if": [{"var": "n"}, true, {"==": [1, 2]}, {"+": [1, 2, 3]}, {"!": {"!": {"!": 1}}}]}"#,
        #"{"if": []}"#, #"{"?:": [{"var": "t"}, {"var": "n"}, false]}"#,
        #"{"missing": ["n", "t"]}"#,
        #"{"missing": [["n", "t", "z"]]}"#, #"{"missing_some": [1, ["n", "z"]]}"#,
        #"{"<": [1, {"var": "n"}, 9]}"#, #"{">=": [{"%": [{"var": "n"}, 2]}, 1]}"#,
        #"{"max": [1, {"var": "n"}, {"min": [4, 2]}, {"-": 3}]}"#,
        #"{"in": [{"var": "t"}, ["a", "b", "c", "d", "e", "f", "g", "h", "i", "text"]]}"#,
        #"{"in": ["x", {"cat": ["some ", {"var": "t"}]}]}"#, #"{"substr": [{"var": "t"}, 1, 2]}"#,
        #"{"some": [[1, 2, 3], {"==": [{"var": ""}, {"var": "n"}]}]}"#,
        #"{"all": [[1, 2, 3], {">": [{"var": ""}, 1]}]}"#, #"{"none": [[], {"!": {"!": true}}]}"#,
        #"{"map": [[1, 2, 3], {"*": [{"var": ""}, 2]}]}"#, #"{"filter": [{"var": "l"}, true]}"#,
        #"{"reduce": [[1, 2, 3], {"+": [{"var": "current"}, 1]}, {"+": [0]}]}"#,
        #"{"merge": [[1, 2], {"var": "l"}, 3]}"#, #"{"starts_with": [{"var": "t"}, "te"]}"#,
        #"{"sem_ver": [{"var": "t"}, {"var": "n"}, "1.0.0"]}"#, #"{"rollout": 10}"#,
        #"{"rollout": [{"cat": [{"var": "t"}, "salt"]}, 10]}"#, #"{"rollout": [{"var": "t"}, 10]}"#,
        #"{"fractional": [{"cat": ["a", {"var": "t"}]}, ["a", 1], ["b", {"+": [1, 2]}]]}"#,
        #"{"fractional": [["a", 1], ["b", 2]]}"#, #"{"fractional": ["key", ["a", 1], ["b", 2]]}"#,
        #"{"==": [[1, {"var": "n"}], "1,2"]}"#,
        #"{"ends_with": ["\#(String(repeating: "a", count: 1_000))", {"var": "t"}]}"#,
    ]

    @Test("no evaluation takes fewer steps than the minimum", arguments: rules)
    func bound(rule: String) throws {
        let behavior = try behavior(of: rule)
        for context in ["{}", #"{"n": 2, "t": "text", "l": [1, "a"]}"#, #"{"n": 0, "t": "1.2.3"}"#]
        {
            for user in [nil, "user"] {
                var properties = try #require(JSON(parsing: context.utf8).object)
                properties["targetingKey"] = user.map(JSON.string)
                let context = try TargetingContext(.object(properties))
                var evaluator = Evaluator(behavior.shared, context)
                for (place, target) in behavior.targets.enumerated() {
                    _ = evaluator.holds(target.root, key: .rule(place))
                }
                #expect(behavior.minimumSteps <= evaluator.takenSteps)
            }
        }
    }

    @Test(
        "the minimum is exact if it doesn't depend on the context",
        arguments: [
            ("true", 1), (#"{"==": [1, 2]}"#, 3),
            (#"{"!": {"==": [{"%": [{"var": "n"}, 9]}, 1]}}"#, 6),
            (#"{"map": [[1, 2, 3], {"*": [{"var": ""}, 2]}]}"#, 2 + 3 * 3),
            (#"{"if": [{"==": [1, 1]}, {"+": [1, 2, 3]}, {"!": {"!": {"!": true}}}]}"#, 1 + 3 + 4),
            (#"{"in": [7, [1, 2, 3, 4, 5, 6, 7, 8]]}"#, 4),
        ]
    )
    func exact(rule: String, steps: Int) throws {
        let behavior = try behavior(of: rule)
        #expect(behavior.minimumSteps == steps)
        var evaluator = Evaluator(behavior.shared, .empty)
        _ = evaluator.holds(try #require(behavior.targets.first).root, key: .rule(0))
        #expect(evaluator.takenSteps == steps)
    }

    @Test("a rule with nested lists counts only until it is stopped")
    func ended() throws {
        let list = "[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]"
        let nested = (0..<20).reduce("true") { rule, _ in #"{"map": [\#(list), \#(rule)]}"# }
        #expect(try behavior(of: nested).minimumSteps == 10_000)
    }

    @Test("repeated rules count once, and a module's actions only if its rule always holds")
    func places() throws {
        let one = #"{"func": "f", "when": {"==": [{"var": "n"}, 1]}}"#
        let other = #"{"func": "f", "when": {"==": [{"var": "n"}, 2]}}"#
        func steps(_ when: String, _ actions: String...) throws -> Int {
            let actions = actions.joined(separator: ",")
            return try behavior(#"[{"name": "A", \#(when) "actions": [\#(actions)]}]"#).minimumSteps
        }
        #expect(try steps("", one, other) == 6)
        #expect(try steps("", one, one, other, one) == 6)
        #expect(try steps(#""when": true,"#, one, other) == 7)
        #expect(try steps(#""when": false,"#, one, other) == 1)
        #expect(try steps(#""when": {"var": "n"},"#, one, other) == 1)
        // What splits users does so in each place.
        let split = #"{"func": "f", "when": {"rollout": [{"var": "n"}, 10]}}"#
        #expect(try steps("", split, split) == 4)
        #expect(try steps("") == 0)
    }

    @Test("if the minimum exceeds a request's limit, the last rules never hold")
    func beyond() throws {
        func many(_ rule: (Int) -> String) throws -> TargetedBehavior {
            let actions = (0..<10_000).map { #"{"func": "f", "when": \#(rule($0))}"# }
            return try behavior(
                #"[{"name": "A", "actions": [\#(actions.joined(separator: ","))]}]"#
            )
        }
        let dear = try many { #"{"!": {"==": [{"%": [{"var": "n"}, 10000]}, \#($0)]}}"# }
        #expect(dear.minimumSteps == 60_000 && dear.minimumSteps > TargetedBehavior.maximumSteps)
        #expect(dear.evaluate(.empty).problemCount > 0)
        let context = try TargetingContext(targetingKey: "u", properties: ["n": 1])
        let evaluated = dear.evaluate(context)
        #expect(evaluated.variant[0] && !evaluated.variant[9_999])
        // At the bound nothing goes wrong.
        let most = try many { #"{"==": [{"%": [{"var": "n"}, 10000]}, \#($0)]}"# }
        #expect(most.minimumSteps == TargetedBehavior.maximumSteps)
        #expect(most.evaluate(context).problemCount == 0)
    }
}
