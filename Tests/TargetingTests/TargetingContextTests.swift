import JSONCodec
import Testing

@testable import Targeting

@Suite("Targeting contexts")
struct TargetingContextTests {
    private func problem(_ json: JSON) -> String? {
        do {
            _ = try TargetingContext(json)
            return nil
        } catch {
            return error.problems.map(\.description).joined(separator: "; ")
        }
    }

    @Test("the targeting key is an argument or a property")
    func keys() throws {
        #expect(try TargetingContext(targetingKey: "a").targetingKey == "a")
        #expect(try TargetingContext(["targetingKey": "b"]).targetingKey == "b")
        #expect(
            try TargetingContext(targetingKey: "a", properties: ["targetingKey": "b"]).targetingKey
                == "a"
        )
        #expect(try TargetingContext(["targetingKey": nil]).targetingKey == nil)
        #expect(TargetingContext.empty.targetingKey == nil)
        let rule = try TargetingRule(["==": [["var": "targetingKey"], "a"]])
        #expect(rule.holds(for: try TargetingContext(targetingKey: "a")))
    }

    @Test("a context that isn't an object, and a key that isn't a text, are rejected")
    func shape() {
        for json in [nil, true, 1, "a", []] as [JSON] {
            #expect(problem(json) == "expected an object")
        }
        for key in [true, 1, [], [:]] as [JSON] {
            #expect(problem(["targetingKey": key]) == "/targetingKey: expected a text")
        }
        #expect(
            problem(["a/b": [1, .number(JSON.Number("1e999") ?? JSON.Number(0))]])
                == "/a~1b/1: out of range"
        )
    }

    @Test("a context has at most 256 values, 16 KiB of names and texts, and eight levels")
    func bounds() {
        func list(_ count: Int) -> JSON { .array(Array(repeating: 1, count: count)) }
        #expect(problem(["a": list(255)]) == nil)
        #expect(problem(["a": list(256)]) == "/a: more than 256 values")
        #expect(
            problem(["a": list(100), "b": list(100), "c": list(100)]) == "/c: more than 256 values"
        )

        func text(_ count: Int) -> JSON { .string(String(repeating: "a", count: count)) }
        #expect(problem(["k": text(16 * 1_024 - 1)]) == nil)
        #expect(problem(["k": text(16 * 1_024)]) == "/k: more than 16 KiB of names and texts")
        #expect(
            problem(["k": text(9_000), "l": text(9_000), "m": 1])
                == "/l: more than 16 KiB of names and texts"
        )

        func nested(_ depth: Int) -> JSON { (1..<depth).reduce([:]) { inner, _ in ["a": inner] } }
        #expect(problem(nested(8)) == nil)
        #expect(problem(nested(9)) == String(repeating: "/a", count: 8) + ": nests deeper than 8")
        #expect(problem(nested(400))?.hasSuffix("nests deeper than 8") == true)
    }

    @Test("names are compared byte by byte")
    func names() throws {
        let context = try TargetingContext(properties: ["e\u{301}": 1, "\u{E9}": 2])
        #expect(try TargetingRule(["var": "e\u{301}"]).evaluate(context).value == 1)
        #expect(try TargetingRule(["var": "\u{E9}"]).evaluate(context).value == 2)
    }
}
