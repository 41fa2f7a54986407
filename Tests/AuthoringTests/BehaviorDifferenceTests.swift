import Authoring
import Behaviors
import JSONCodec
import JSONPatch
import Testing

@Suite("Differences between two behavior documents")
struct BehaviorDifferenceTests {
    private static func document(_ text: String) throws -> AuthoredBehavior {
        try AuthoredBehavior(json: text.utf8)
    }

    private func lines(_ old: String, _ new: String) throws -> [String] {
        let (old, new) = (try Self.document(old), try Self.document(new))
        let difference = BehaviorDifference(from: old, to: new)
        let patched = try difference.patch.apply(to: old.json)
        #expect(patched == new.json)
        return difference.lines
    }

    /// A module with those actions, and members behind them.
    private static func banner(_ actions: String, _ others: String = "") -> String {
        #"[{"name":"Banner","actions":[\#(actions)]\#(others)}]"#
    }

    @Test(
        "each kind of change to an action has its description",
        arguments: [
            (
                #"{"func":"sparkle","when":{"rollout":10}}"#,
                #"{"func":"sparkle","when":{"rollout":20}}"#,
                "action sparkle is for 20 % now, was 10 %"
            ),
            (
                #"{"func":"sparkle"}"#,
                #"{"func":"sparkle","when":{"rollout":[{"var":"account"},12.5]}}"#,
                "action sparkle is for 12.5 % by account now, was everybody"
            ),
            (
                #"{"func":"sparkle","when":false}"#, #"{"func":"sparkle","when":true}"#,
                "action sparkle is for everybody now, was nobody"
            ),
            (
                #"{"func":"sparkle","when":{"and":[{"segment":"beta"},{"or":[{"rollout":5},{"!":{"==":[{"var":"os"},"ios"]}}]}]}}"#,
                #"{"func":"sparkle","when":{"sem_ver":[{"var":"version"},">=","2.0.0"]}}"#,
                #"action sparkle is for version >= 2.0.0 now, was the segment beta and (5 % or not os == "ios")"#
            ),
            (
                #"{"func":"sparkle","when":{"in":[{"var":"country"},["LV","EE"]]}}"#,
                #"{"func":"sparkle","when":{"ends_with":[{"var":"email"},"@acme.com"]}}"#,
                #"action sparkle is for email ends with "@acme.com" now, was country in ["LV","EE"]"#
            ),
            (
                #"{"func":"sparkle","when":{"%":[{"var":"id"},2]}}"#, #"{"func":"sparkle"}"#,
                #"action sparkle is for everybody now, was {"%":[{"var":"id"},2]}"#
            ),
            (
                #"{"func":"show","value":"a"}"#, #"{"func":"show","value":"b"}"#,
                #"action show has the value "b" now, was "a""#
            ),
            (
                #"{"func":"show","value":1}"#, #"{"func":"show","value":1.0}"#,
                "action show has the value 1.0 now, was 1"
            ),
            (
                #"{"func":"show"}"#, #"{"func":"show","value":null}"#,
                "action show has the value null now, had none"
            ),
            (
                #"{"func":"show","value":[1]}"#, #"{"func":"show"}"#,
                "action show has no value now, was [1]"
            ),
            (
                #"{"func":"show","note":"x"}"#, #"{"func":"show"}"#,
                #"action show's note is gone, was "x""#
            ),
            (
                #"{"func":"show"}"#, #"{"func":"show","note":"x"}"#,
                #"action show's note is "x" now, there was none"#
            ),
            (#"{"func":"a"},{"func":"b"}"#, #"{"func":"a"}"#, "action b removed"),
            (
                #"{"func":"a"}"#, #"{"func":"b","value":7},{"func":"a"}"#,
                "action b added at place 1, with the value 7"
            ),
            (
                #"{"func":"a"},{"func":"b"},{"func":"c"}"#,
                #"{"func":"c"},{"func":"a"},{"func":"b"}"#, "action c moved from place 3 to place 1"
            ),
            (
                #"{"func":"a","value":1},{"func":"a","value":2}"#,
                #"{"func":"a","value":1},{"func":"a","value":3}"#,
                "action a at place 2 has the value 3 now, was 2"
            ),
        ]
    )
    func actions(_ old: String, _ new: String, _ line: String) throws {
        let lines = try lines(Self.banner(old), Self.banner(new))
        #expect(lines == ["module Banner: \(line)"])
    }

    @Test("changes to modules are listed in the documents' order")
    func modules() throws {
        let lines = try lines(
            #"""
            [{"name":"Gone","actions":[{"func":"f"}]},
             {"name":"A","actions":[{"func":"f"}]},
             {"name":"B","actions":[],"note":1},
             {"name":"C","actions":[],"when":{"rollout":10}}]
            """#,
            #"""
            [{"name":"C","actions":[],"when":{"rollout":20}},
             {"name":"A","actions":[{"func":"f"},{"func":"g","when":{"segment":"beta"}}]},
             {"name":"B","actions":[],"note":2},
             {"name":"New","actions":[],"when":{"rollout":1}}]
            """#
        )
        #expect(
            lines == [
                "module Gone: removed, with 1 action",
                "module C: moved from place 4 to place 1",
                "module C is for 20 % now, was 10 %",
                "module A: action g added at place 2, for the segment beta",
                "module B's note is 2 now, was 1",
                "module New: added at place 4, with 0 actions, for 1 %",
            ]
        )
    }

    @Test("changes to segments are listed before changes to modules")
    func segments() throws {
        let lines = try lines(
            #"""
            {"segments": {"gone": true, "beta": {"rollout": 1}},
             "modules": [{"name": "A", "when": {"segment": "beta"}, "actions": []}]}
            """#,
            #"""
            {"segments": {"beta": {"rollout": 2}, "new": {"in": [{"var": "country"}, ["LV"]]}},
             "modules": [{"name": "A", "when": {"segment": "new"}, "actions": []}]}
            """#
        )
        #expect(
            lines == [
                "segment gone: removed, was everybody",
                "segment beta is 2 % now, was 1 %",
                #"segment new: added, country in ["LV"]"#,
                "module A is for the segment new now, was the segment beta",
            ]
        )
    }

    @Test("documents that differ only in layout and member order have no differences")
    func layout() throws {
        let lines = try lines(
            #"[{"name":"A","actions":[{"func":"f","value":{"a":1,"b":2}}]}]"#,
            #"[ {"actions": [{"value": {"b": 2, "a": 1}, "func": "f"}], "name": "A"} ]"#
        )
        #expect(lines.isEmpty)
    }

    @Test("each change has one line, and long values are truncated")
    func long() throws {
        let text = String(repeating: "x", count: 1_000)
        let lines = try lines(
            Self.banner(#"{"func":"f","value":"\#(text)"}"#),
            Self.banner(#"{"func":"f","value":1}"#)
        )
        #expect(lines.count == 1)
        #expect((150..<200).contains(lines.first?.count ?? 0))
    }

    @Test("comparing ten thousand actions takes linear time")
    func large() throws {
        func action(_ place: Int, _ value: Int) -> BehaviorAction {
            BehaviorAction(function: "f\(place)", value: .number(.init(value)))
        }
        let old = BehaviorModule(name: "A", actions: (0..<10_000).map { action($0, 1) })
        let new = BehaviorModule(
            name: "A",
            actions: (0..<10_000).reversed().map { action($0, $0 % 2) }
        )
        let difference = BehaviorDifference(
            from: try AuthoredBehavior(json: BehaviorDocument(modules: [old]).encoded()),
            to: try AuthoredBehavior(json: BehaviorDocument(modules: [new]).encoded())
        )
        #expect(difference.lines.count == 9_999 + 5_000)
    }
}
