import Behaviors
import Targeting
import Testing

@Suite("Authored documents")
struct AuthoredDocumentTests {
    private func problems(_ text: String) -> [BehaviorError] {
        do throws(InvalidBehavior) {
            _ = try TargetedBehavior(json: Array(text.utf8))
            return []
        } catch {
            return error.problems
        }
    }

    @Test("all problems are reported in the text's order")
    func all() {
        let told = problems(
            """
            [
              {"name": "A", "actions": [
                {"func": "f", "when": {"rollout": 101}},
                {"fun": "g"}
              ]},
              7,
              {"name": "B", "when": {"nope": 1}, "actions": {}}
            ]
            """
        )
        #expect(
            told.map(\.description) == [
                "line 3, column 39: /0/actions/0/when/rollout: "
                    + "expected a percentage, a number from 0 to 100 with at most 3 decimals",
                "line 4, column 5: /0/actions/1/func: missing",
                "line 6, column 3: /1: expected an object",
                "line 7, column 34: /2/when/nope: no such operation",
                "line 7, column 49: /2/actions: expected an array",
            ]
        )
    }

    @Test("at most a hundred problems are reported")
    func bounded() {
        let modules = Array(repeating: #"{"name":1,"actions":[{"when":0}]}"#, count: 300)
        #expect(problems("[" + modules.joined(separator: ",") + "]").count == 100)
    }

    @Test("a document has at most 1 MiB, a thousand modules and ten thousand actions")
    func limits() {
        let space = String(repeating: " ", count: 1 << 20)
        #expect(problems(space + "[]").map(\.message) == ["larger than 1 MiB"])
        let module = #"{"name":"A","actions":[]}"#
        let modules = Array(repeating: module, count: 1_001).joined(separator: ",")
        #expect(problems("[\(modules)]").map(\.pointer) == ["/1000"])
        let actions = Array(repeating: #"{"func":"f"}"#, count: 10_001).joined(separator: ",")
        #expect(
            problems(#"[{"name":"A","actions":[\#(actions)]}]"#).map(\.pointer)
                == ["/0/actions/10000"]
        )
    }

    @Test("problems of segments and modules are reported together")
    func segments() {
        let text = #"{"segments":{"beta":{"nope":1}},"modules":[{"name":"A"},{"when":0}],"more":1}"#
        #expect(
            problems(text).map(\.pointer) == [
                "/segments/beta/nope", "/modules/0/actions", "/modules/1/name",
                "/modules/1/actions", "/modules/1/when", "/more",
            ]
        )
    }
}
