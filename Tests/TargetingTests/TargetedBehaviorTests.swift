import Behaviors
import JSONCodec
import Testing

@testable import Targeting

@Suite("Targeted behaviors")
struct TargetedBehaviorTests {
    static let text = #"""
        [
            {"name": "Menu", "actions": [{"func": "show"}]},
            {"name": "Banner", "when": {"==": [{"var": "country"}, "LV"]}, "note": "kept", "actions": [
                {"func": "show", "value": 1},
                {"func": "sparkle", "when": {"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}, "more": true}
            ]},
            {"name": "Beta", "when": {"segment": "beta"}, "actions": [
                {"func": "hello", "when": {"==": [{"var": "country"}, "LV"]}}
            ]}
        ]
        """#
    static let segments: JSON.Object = ["beta": ["in": ["beta", ["var": "groups"]]]]

    private func behavior() throws -> TargetedBehavior {
        try TargetedBehavior(BehaviorDocument(json: Self.text.utf8), segments: Self.segments)
    }

    private func served(_ properties: JSON.Object) throws -> String {
        let behavior = try behavior()
        let evaluation = behavior.evaluate(try TargetingContext(properties: properties))
        return String(decoding: behavior.behavior(of: evaluation.variant).encoded(), as: UTF8.self)
    }

    @Test("a context is served its matching modules and actions, without the rules")
    func serving() throws {
        #expect(try served([:]) == #"[{"name":"Menu","actions":[{"func":"show"}]}]"#)
        #expect(
            try served(["country": "LV", "version": "1.9"])
                == #"[{"name":"Menu","actions":[{"func":"show"}]},{"name":"Banner","actions":[{"func":"show","value":1}],"note":"kept"}]"#
        )
        #expect(
            try served(["country": "LV", "version": "2.1", "groups": ["beta"]])
                == #"[{"name":"Menu","actions":[{"func":"show"}]},{"name":"Banner","actions":[{"func":"show","value":1},{"func":"sparkle","more":true}],"note":"kept"},{"name":"Beta","actions":[{"func":"hello"}]}]"#
        )
        #expect(
            try served(["country": "EE", "groups": ["beta"]])
                == #"[{"name":"Menu","actions":[{"func":"show"}]},{"name":"Beta","actions":[]}]"#
        )
    }

    @Test("contexts share a variant exactly if they are served the same document")
    func variants() throws {
        let behavior = try behavior()
        var served: [BehaviorVariant: [UInt8]] = [:]
        var variants: [[UInt8]: BehaviorVariant] = [:]
        for country in ["LV", "EE", nil] as [JSON] {
            for version in ["1.0.0", "2.0.0", "3", nil] as [JSON] {
                for groups in [["beta"], ["other"], nil] as [JSON] {
                    let context = try TargetingContext(
                        properties: ["country": country, "version": version, "groups": groups]
                    )
                    let variant = behavior.evaluate(context).variant
                    let bytes = behavior.behavior(of: variant).encoded()
                    #expect(served[variant, default: bytes] == bytes)
                    #expect(variants[bytes, default: variant] == variant)
                    served[variant] = bytes
                    variants[bytes] = variant
                }
            }
        }
        #expect(served.count == 6)
        #expect(Set(served.keys.map(\.description)).count == 6)
    }

    @Test("a document without rules is the same for every context")
    func plain() throws {
        let document = try BehaviorDocument(
            json: #"[{"name": "A", "actions": [{"func": "f"}]}]"#.utf8
        )
        let behavior = try TargetedBehavior(document)
        #expect(!behavior.isTargeted)
        let variant = behavior.evaluate(.empty).variant
        #expect(behavior.behavior(of: variant) == document)
        #expect(variant.description == "0000000000000000")
    }

    @Test("an action whose rule can't be evaluated is omitted, and the problem is reported")
    func problems() throws {
        let behavior = try behavior()
        let evaluation = behavior.evaluate(
            try TargetingContext(properties: ["country": "LV", "version": "new"])
        )
        #expect(evaluation.problemCount == 1)
        #expect(
            evaluation.firstProblem
                == JSONTypeError(
                    pointer: "/1/actions/1/when/sem_ver",
                    message: "the first operand is not a semantic version"
                )
        )
        // A module that is left out has its actions' rules not looked at.
        #expect(
            behavior.evaluate(try TargetingContext(properties: ["version": "new"])).problemCount
                == 0
        )
    }

    @Test("a roll-out depends on module and function, not on their position")
    func keys() throws {
        let one = try TargetedBehavior(
            BehaviorDocument(
                json:
                    #"[{"name": "A", "actions": [{"func": "f", "when": {"rollout": 50}}, {"func": "g", "when": {"rollout": 50}}]}]"#
                    .utf8
            )
        )
        let other = try TargetedBehavior(
            BehaviorDocument(
                json:
                    #"[{"name": "B", "when": {"rollout": 50}, "actions": []}, {"name": "A", "actions": [{"func": "g", "when": {"rollout": 50}}]}]"#
                    .utf8
            )
        )
        let rule = try TargetingRule(["rollout": 50], key: "A/g")
        var apart = 0
        for user in 0..<200 {
            let context = try TargetingContext(targetingKey: "user-\(user)")
            let first = one.evaluate(context).variant
            #expect(first[1] == rule.holds(for: context))
            #expect(other.evaluate(context).variant[1] == rule.holds(for: context))
            if first[0] != first[1] { apart += 1 }
        }
        #expect(apart > 50)
    }

    @Test("all problems are reported with their locations")
    func refused() throws {
        let text = #"""
            [
                {"name": "A", "when": "yes", "actions": [
                    {"func": "f", "when": {"==": [1]}}, {"func": "g"}, {"func": "h", "when": {"segment": "x"}}
                ]},
                {"name": "B", "when": null, "actions": [{"func": "f", "when": {"==": [1]}}]}
            ]
            """#
        let document = try BehaviorDocument(json: text.utf8)
        let error = #expect(throws: TargetingError.self) {
            _ = try TargetedBehavior(document, segments: ["s": ["nope": 1]])
        }
        #expect(
            error?.description == """
                /segments/s/nope: no such operation
                /0/when: expected a rule: an object with one operation, true or false
                /0/actions/0/when/==: takes 2 operands, not 1
                /0/actions/2/when/segment: no such segment
                /1/when: expected a rule: an object with one operation, true or false
                /1/actions/0/when/==: takes 2 operands, not 1
                """
        )
    }

    @Test("of a thousand problems the first hundred are reported")
    func manyProblems() throws {
        let actions = (0..<1_000).map { _ in #"{"func": "f", "when": 1}"# }.joined(separator: ",")
        let document = try BehaviorDocument(
            json: #"[{"name": "A", "actions": [\#(actions)]}]"#.utf8
        )
        let error = #expect(throws: TargetingError.self) { _ = try TargetedBehavior(document) }
        #expect(error?.problems.count == 100)
    }

    @Test("ten thousand actions with a rule each are evaluated")
    func many() throws {
        let actions = (0..<10_000).map { place in
            #"{"func": "f\#(place)", "when": {"==": [{"%": [{"var": "n"}, \#(place % 7 + 1)]}, 0]}}"#
        }
        let text = #"[{"name": "A", "actions": [\#(actions.joined(separator: ","))]}]"#
        let behavior = try TargetedBehavior(BehaviorDocument(json: text.utf8))
        let evaluation = behavior.evaluate(try TargetingContext(properties: ["n": 12]))
        #expect(evaluation.problemCount == 0)
        let kept = behavior.behavior(of: evaluation.variant)
        let expected = (0..<10_000).filter { 12 % ($0 % 7 + 1) == 0 }.map { "f\($0)" }
        #expect(kept.modules.first?.actions.map(\.function) == expected)
        // Rules that stand in many places are there once.
        #expect(behavior.program.nodes.count == 7 * 6)
        #expect(evaluation.variant.description.count == 157 * 16)
    }

    @Test(
        "a document's rules take at most 50,000 steps, and rules beyond are reported"
    )
    func documentSteps() throws {
        let list = "[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]"
        let actions = (0..<200).map { place in
            let inner = #"{"some": [\#(list), {"==": [{"var": ""}, \#(place + 2)]}]}"#
            return #"{"func": "f", "when": {"!": {"some": [\#(list), \#(inner)]}}}"#
        }
        let plain = #"{"func": "f", "when": true}"#
        let text =
            #"[{"name": "A", "actions": [\#((actions + [plain]).joined(separator: ","))]}]"#
        let behavior = try TargetedBehavior(BehaviorDocument(json: text.utf8))
        let evaluation = behavior.evaluate(.empty)
        #expect(evaluation.problemCount == 201)
        #expect(evaluation.firstProblem?.message == Stop.tooManySteps.rawValue)
        #expect(evaluation.variant == BehaviorVariant(count: 201))
        let last = behavior.explain(.empty).targets.last
        #expect(last?.isKept == false)
        #expect(
            last?.problems == [
                TargetingExplanation.Problem(
                    pointer: "/0/actions/200/when",
                    message: Stop.documentTooLong.rawValue
                )
            ]
        )
        // Those of the most actions that a document may have are no matter.
        let all = (0..<10_000).map { place in
            #"{"func": "f", "when": {"==": [{"var": "n"}, \#(place)]}}"#
        }
        let many = try TargetedBehavior(
            BehaviorDocument(
                json: #"[{"name": "A", "actions": [\#(all.joined(separator: ","))]}]"#.utf8
            )
        )
        let context = try TargetingContext(targetingKey: "u", properties: ["n": 9_999])
        let evaluated = many.evaluate(context)
        #expect(evaluated.problemCount == 0 && evaluated.variant[9_999])
    }
}
