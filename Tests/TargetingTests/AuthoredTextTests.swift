import Behaviors
import JSONCodec
import Targeting
import Testing

@Suite("Authored documents")
struct AuthoredTextTests {
    private func problems(_ text: String) -> [String] {
        do throws(InvalidBehavior) {
            _ = try TargetedBehavior(json: text.utf8)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("an array has only modules, an object can have segments as well")
    func forms() throws {
        let bare = try AuthoredBehavior(json: #"[{"name":"A","actions":[]}]"#.utf8)
        #expect(bare.segments.isEmpty && bare.modulesPointer.isEmpty)
        let text = #"{"segments":{"b":true},"modules":[{"name":"A","actions":[]}]}"#
        let whole = try AuthoredBehavior(json: text.utf8)
        #expect(whole.document == bare.document)
        #expect(whole.segments == ["b": true] && whole.modulesPointer == "/modules")
        let alone = try AuthoredBehavior(json: #"{"modules":[]}"#.utf8)
        #expect(alone.document.modules.isEmpty && alone.segments.isEmpty)
    }

    @Test("rules can use their document's segments")
    func segments() throws {
        let behavior = try TargetedBehavior(
            json: #"""
                {"segments": {"beta": {"==": [{"var": "group"}, "beta"]}},
                 "modules": [{"name": "A", "when": {"segment": "beta"}, "actions": []}]}
                """#.utf8
        )
        for (group, count) in [("beta", 1), ("other", 0)] {
            let context = try TargetingContext(properties: ["group": .string(group)])
            let variant = behavior.evaluate(context).variant
            #expect(behavior.behavior(of: variant).modules.count == count)
            let target = behavior.explain(context).targets[0]
            #expect(target.pointer == "/modules/0" && target.rule == "/modules/0/when")
            #expect(target.steps.map(\.pointer) == ["/modules/0/when", "/segments/beta"])
        }
    }

    @Test(
        "all problems have line, column and pointer",
        arguments: [
            ("[\n x]", ["line 2, column 2: /0: expected a value"]),
            (
                "[{\"name\":\"A\",\n\"when\":{\"==\":[1]},\"actions\":[]}]",
                ["line 2, column 14: /0/when/==: takes 2 operands, not 1"]
            ),
            ("7", ["line 1, column 1: expected an array of modules"]),
            ("{}", ["line 1, column 1: /modules: missing"]),
            (#"{"modules":{}}"#, ["line 1, column 12: /modules: expected an array of modules"]),
            (
                #"{"modules":[],"segments":[]}"#,
                ["line 1, column 26: /segments: expected an object"]
            ),
            (
                #"{"modules":[],"rules":1}"#,
                ["line 1, column 23: /rules: expected only modules and segments"]
            ),
            (
                #"{"modules":[{"name":"A"}]}"#,
                ["line 1, column 13: /modules/0/actions: missing"]
            ),
            (
                #"{"segments":{"a":{"segment":"a"}},"modules":[]}"#,
                ["line 1, column 29: /segments/a/segment: a cycle: a → a"]
            ),
            (
                #"{"modules":[{"name":"A","when":{"segment":"b"},"actions":[]},{"name":"B","when":7,"actions":[]}]}"#,
                [
                    "line 1, column 43: /modules/0/when/segment: no such segment",
                    "line 1, column 81: /modules/1/when: expected a rule: an object with one "
                        + "operation, true or false",
                ]
            ),
        ]
    )
    func refused(_ text: String, _ expected: [String]) {
        #expect(problems(text) == expected)
    }

    @Test("the description is the first problem and the number of others")
    func description() {
        let modules = (0..<3).map { #"{"name":"A\#($0)","when":{"nope":\#($0)},"actions":[]}"# }
        let text = "[" + modules.joined(separator: ",") + "]"
        let error = #expect(throws: InvalidBehavior.self) {
            _ = try TargetedBehavior(json: text.utf8)
        }
        #expect(error?.problems.count == 3)
        #expect(
            error?.description
                == "line 1, column 30: /0/when/nope: no such operation (and 2 more)"
        )
    }

    @Test("a document larger than 1 MiB is rejected unread")
    func size() {
        let text = String(repeating: " ", count: BehaviorDocument.maximumSize) + "[]"
        #expect(problems(text) == ["line 1, column 1: larger than 1 MiB"])
    }
}
