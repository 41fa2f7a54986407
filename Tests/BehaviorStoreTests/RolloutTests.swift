import JSONCodec
import Testing

@testable import BehaviorStore

@Suite("The shares of users that rules select")
struct RolloutTests {
    private func shares(_ text: String) throws -> [String] {
        Rollout.all(in: try JSON(parsing: Array(text.utf8))).map { one in
            "\(one.place) \(one.percent)\(one.value.map { " \($0)" } ?? "")"
        }
    }

    @Test("rollouts of modules, actions and segments are found at any depth")
    func rollouts() throws {
        #expect(
            try shares(
                #"""
                {"segments": {"beta": {"rollout": 12.5}},
                 "modules": [
                    {"name": "Home", "actions": [{"func": "show"}]},
                    {"name": "Banner", "when": {"and": [{"segment": "beta"}, {"rollout": 50}]},
                     "actions": [
                        {"func": "show", "when": {"rollout": [{"var": "account"}, 10]}},
                        {"func": "glow", "when": {"!": {"or": [{"rollout": 1}, {"rollout": 2}]}}}]}]}
                """#
            ) == [
                "segment beta 12.5", "Banner 50.0", "Banner/show 10.0", "Banner/glow 1.0",
                "Banner/glow 2.0",
            ]
        )
    }

    @Test("a document with long names and many shares has the first ones, with cut names")
    func bounded() throws {
        let name = String(repeating: "a", count: 50_000)
        let rules = Array(repeating: #"{"rollout":1}"#, count: 400).joined(separator: ",")
        let text = #"[{"name":"\#(name)","actions":[],"when":{"or":[\#(rules)]}}]"#
        let shares = Rollout.all(in: try JSON(parsing: text.utf8))
        #expect(shares.count == Rollout.maximumCount)
        #expect(shares.allSatisfy { $0.place.count == Rollout.maximumText + 1 })
    }

    @Test("the parts of a split have their shares of the sum")
    func splits() throws {
        func split(_ operand: String) throws -> [String] {
            try shares(
                #"[{"name":"A","actions":[],"when":{"==":[{"fractional":\#(operand)},"red"]}}]"#
            )
        }
        #expect(try split(#"[["red", 25], ["blue", 75]]"#) == ["A 25.0 red", "A 75.0 blue"])
        #expect(
            try split(#"[{"var": "email"}, ["red"], ["green"], ["blue"]]"#)
                == ["A 33.333 red", "A 33.333 green", "A 33.333 blue"]
        )
        #expect(try split(#"[["red", {"var": "weight"}], ["blue", 1]]"#) == [])
        #expect(try split(#"[["red", 0]]"#) == [])
        #expect(try split(#"[[true, 1], [2, 1]]"#) == ["A 50.0 true", "A 50.0 2"])
    }

    @Test(
        "a document without rules, or no document, has none",
        arguments: [
            "[]", #"[{"name":"A","actions":[{"func":"rollout","value":{"rollout":1}}]}]"#, "7",
        ]
    )
    func none(text: String) throws {
        #expect(try shares(text) == [])
    }
}
