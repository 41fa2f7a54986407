import Behaviors
import JSONCodec
import Testing

@testable import Targeting

@Suite("Targeting explanations")
struct TargetingExplanationTests {
    static let text = #"""
        [
            {"name": "Menu", "actions": [{"func": "show"}]},
            {"name": "Banner", "when": {"and": [{"==": [{"var": "country"}, "LV"]}, {"segment": "beta"}]}, "actions": [
                {"func": "show"},
                {"func": "sparkle", "when": {"rollout": 10}},
                {"func": "pay", "when": {"if": [
                    {"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}, {"!": {"var": "guest"}}, false]}}
            ]}
        ]
        """#

    private func explain(
        _ context: TargetingContext
    ) throws -> [String: TargetingExplanation.Target] {
        let behavior = try TargetedBehavior(
            BehaviorDocument(json: Self.text.utf8),
            segments: ["beta": ["or": [["in": ["beta", ["var": "groups"]]], ["rollout": 50]]]]
        )
        let explanation = behavior.explain(context)
        #expect(
            explanation.targets.map(\.pointer) == [
                "/0", "/0/actions/0", "/1", "/1/actions/0", "/1/actions/1", "/1/actions/2",
            ]
        )
        // The explanation agrees with the served document.
        let served = behavior.behavior(of: behavior.evaluate(context).variant)
        let kept = explanation.targets.filter { $0.isKept && $0.function != nil }
        #expect(kept.map(\.function) == served.modules.flatMap { $0.actions.map(\.function) })
        return Dictionary(uniqueKeysWithValues: explanation.targets.map { ($0.pointer, $0) })
    }

    private func way(_ target: TargetingExplanation.Target?) -> [String] {
        target?.steps.map { "\($0.pointer) \($0.operation ?? "-") \($0.value)" } ?? []
    }

    @Test("an explanation stops at its step limit and reports it")
    func bound() throws {
        let slow: JSON = ["in": ["x", .array(Array(repeating: "xy", count: 20))]]
        let segments: JSON.Object = [
            "many": ["or": .array(Array(repeating: slow, count: 40) + [true])]
        ]
        let action = #"{"func":"show","when":{"segment":"many"}}"#
        let text = #"[{"name":"A","actions":[\#(action),\#(action),\#(action)]}]"#
        let behavior = try TargetedBehavior(BehaviorDocument(json: text.utf8), segments: segments)
        let context = try TargetingContext()
        let reasons = behavior.explain(context, within: 1_000).targets.map { target in
            target.problems.map(\.message)
        }
        #expect(reasons.prefix(2) == [[], []])
        #expect(reasons.last == ["explaining all rules takes too many steps"])
        let whole = behavior.explain(context).targets
        #expect(!whole.contains { !$0.problems.isEmpty || !$0.isKept })
    }

    @Test("a segment is evaluated once per rule, as for a request")
    func segmentTwice() throws {
        let segments: JSON.Object = [
            "slow": [
                "all": [
                    ["merge": .array(Array(repeating: ["var": "list"], count: 10))],
                    ["===": [["var": ""], 1]],
                ]
            ]
        ]
        let slow = #"{"segment":"slow"}"#
        let text = #"[{"name":"A","when":{"and":[\#(slow),\#(slow)]},"actions":[]}]"#
        let behavior = try TargetedBehavior(BehaviorDocument(json: text.utf8), segments: segments)
        let context = try TargetingContext(properties: [
            "list": .array(Array(repeating: 1, count: 180))
        ])
        let target = try #require(behavior.explain(context).targets.first)
        #expect(target.isKept && target.problems.isEmpty)
    }

    @Test("an explanation agrees with the evaluation of a text that is too long")
    func tooLong() throws {
        let operand = #"{"var":"long"}"#
        let parts = Array(repeating: operand, count: 10).joined(separator: ",")
        let text = #"[{"name":"A","when":{"rollout":[{"cat":[\#(parts)]},100]},"actions":[]}]"#
        let behavior = try TargetedBehavior(BehaviorDocument(json: text.utf8))
        for (size, isKept) in [(6_553, true), (6_554, false)] {
            let context = try TargetingContext(properties: [
                "long": .string(String(repeating: "a", count: size))
            ])
            #expect(behavior.explain(context).targets.first?.isKept == isKept)
            let kept = behavior.evaluateQuietly(context).variant
            #expect((kept == behavior.evaluateQuietly(try TargetingContext()).variant) == isKept)
        }
    }

    @Test("long texts are truncated")
    func cut() throws {
        let text = #"[{"name":"A","when":{"var":"long"},"actions":[]}]"#
        let behavior = try TargetedBehavior(BehaviorDocument(json: text.utf8))
        let context = try TargetingContext(properties: [
            "long": .string(String(repeating: "é", count: 400))
        ])
        let value = behavior.explain(context).targets.first?.steps.first?.value
        #expect(value == .string(String(repeating: "é", count: 128) + "…"))
    }

    @Test("a bucket's long text is truncated, and a rule lists its first 50 buckets and problems")
    func notes() throws {
        let rollout = #"{"rollout":[{"var":"long"},0]}"#
        let version = #"{"sem_ver":[{"var":"long"},"=","1.0.0"]}"#
        let parts = Array(repeating: "\(rollout),\(version)", count: 60).joined(separator: ",")
        let text = #"[{"name":"A","when":{"or":[\#(parts)]},"actions":[]}]"#
        let behavior = try TargetedBehavior(BehaviorDocument(json: text.utf8))
        let context = try TargetingContext(properties: [
            "long": .string(String(repeating: "a", count: 2_000))
        ])
        let target = try #require(behavior.explain(context).targets.first)
        #expect(target.buckets.count == 50)
        #expect(target.problems.count == 50)
        #expect(target.buckets.last?.key == String(repeating: "a", count: 256) + "…")
        let reason = try #require(behavior.explainReasons(context).first?.reason)
        #expect(reason.reasons.first?.bucket?.key == target.buckets.last?.key)
    }

    @Test(
        "an explanation of all modules shows about 5 MB of values",
        arguments: [
            #"{"and":[{"var":""},{"var":""},{"var":""},true]}"#,
            #"{"or":[{"rollout":[{"var":"long"},0]},{"rollout":[{"cat":[{"var":"long"},1]},0]}]}"#,
        ]
    )
    func shownSize(rule: String) throws {
        let module = #"{"name":"A","when":\#(rule),"actions":[]}"#
        let text = "[" + Array(repeating: module, count: 1_000).joined(separator: ",") + "]"
        let behavior = try TargetedBehavior(BehaviorDocument(json: text.utf8))
        var properties: JSON.Object = [:]
        for number in 0..<50 {
            properties["a\(number)"] = .string(String(repeating: "a", count: 250))
        }
        properties["long"] = .string(String(repeating: "b", count: 2_000))
        let context = try TargetingContext(properties: properties)
        let explained = behavior.explainReasons(context)
        #expect(explained.count == 1_000)
        var steps = 0
        for one in explained {
            steps += one.target.steps.reduce(0) { $0 + $1.value.shownSteps }
            steps += one.target.buckets.reduce(0) { $0 + ($1.key?.shownSteps ?? 0) }
        }
        #expect(steps < TargetingLimits.explanationSteps * 11 / 10)
        func parts(_ reason: RuleReason?) -> Int {
            guard let reason else { return 0 }
            return reason.parts.reduce(reason.value.shownSteps) { $0 + $1.value.shownSteps }
                + reason.reasons.reduce(0) { $0 + parts($1) }
        }
        #expect(
            explained.reduce(0) { $0 + parts($1.reason) }
                < TargetingLimits.explanationSteps * 11 / 10
        )
    }

    @Test("an explanation shows the deciding part of each rule, including segments")
    func trails() throws {
        let context = try TargetingContext(
            targetingKey: "ada",
            properties: ["country": "LV", "groups": ["beta"], "version": "2.1.0"]
        )
        let targets = try explain(context)
        #expect(targets["/0"]?.rule == nil)
        #expect(targets["/0"]?.isKept == true)
        #expect(targets["/1"]?.rule == "/1/when")
        #expect(
            way(targets["/1"]) == [
                "/1/when and true", "/1/when/and/1 segment true", "/segments/beta or true",
                "/segments/beta/or/0 in true",
            ]
        )
        #expect(
            way(targets["/1/actions/2"]) == [
                "/1/actions/2/when if true", "/1/actions/2/when/if/0 sem_ver true",
                "/1/actions/2/when/if/1 ! true", "/1/actions/2/when/if/1/! var null",
            ]
        )
        #expect(way(targets["/1/actions/0"]) == [])
    }

    @Test("an explanation shows the bucket and the hashed text")
    func buckets() throws {
        let context = try TargetingContext(
            targetingKey: "ada",
            properties: ["country": "LV", "groups": ["beta"]]
        )
        let target = try explain(context)["/1/actions/1"]
        let bucket = Buckets.bucket(of: MurmurHash3.hash("Banner/sparkleada"))
        #expect(target?.buckets.count == 1)
        #expect(target?.buckets.first?.pointer == "/1/actions/1/when")
        #expect(target?.buckets.first?.key == "Banner/sparkleada")
        #expect(target?.buckets.first?.bucket == Int(bucket))
        #expect(target?.isKept == (bucket < 10_000))

        let unknown = try TargetingContext(properties: ["country": "LV", "groups": ["beta"]])
        let nobody = try explain(unknown)["/1/actions/1"]
        #expect(nobody?.isKept == false)
        #expect(nobody?.buckets.first?.key == nil)
        #expect(nobody?.buckets.first?.bucket == nil)
    }

    @Test("an action that is omitted with its module has the module's rule")
    func fallen() throws {
        let targets = try explain(try TargetingContext(properties: ["country": "EE"]))
        #expect(way(targets["/1"]) == ["/1/when and false", "/1/when/and/0 == false"])
        for pointer in ["/1/actions/0", "/1/actions/1", "/1/actions/2"] {
            #expect(targets[pointer]?.isKept == false)
            #expect(targets[pointer]?.rule == "/1/when")
            #expect(targets[pointer]?.steps == [])
        }
    }

    @Test("an explanation shows failed operations")
    func problems() throws {
        let context = try TargetingContext(
            properties: ["country": "LV", "groups": ["beta"], "version": "x"]
        )
        let target = try explain(context)["/1/actions/2"]
        #expect(target?.isKept == false)
        #expect(target?.problems.map(\.pointer) == ["/1/actions/2/when/if/0/sem_ver"])
        #expect(way(target).last == "/1/actions/2/when/if/2 - false")
    }

    @Test("explanations are encoded and decoded as JSON")
    func coding() throws {
        let behavior = try TargetedBehavior(
            BehaviorDocument(
                json: #"[{"name": "A", "when": {"==": [{"var": "a"}, 1]}, "actions": []}]"#.utf8
            )
        )
        let explanation = behavior.explain(try TargetingContext(properties: ["a": 1]))
        let json = String(decoding: try JSON.encode(explanation), as: UTF8.self)
        #expect(
            json
                == #"{"targets":[{"buckets":[],"isKept":true,"module":"A","pointer":"/0","problems":[],"rule":"/0/when","steps":[{"operation":"==","pointer":"/0/when","value":true}]}]}"#
        )
        #expect(try JSON.decode(TargetingExplanation.self, from: json.utf8) == explanation)
    }
}
