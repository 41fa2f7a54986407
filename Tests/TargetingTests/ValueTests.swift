import JSONCodec
import Testing

@testable import Targeting

@Suite("Values in rules")
struct ValueTests {
    private func value(_ text: String) throws -> Value {
        try #require(Value(try JSON(parsing: text.utf8)), "\(text)")
    }

    @Test("values convert to JSON, with null for NaN, truncated in explanations")
    func json() throws {
        let text = #"{"a":[1,"b",null,true],"c":{}}"#
        #expect(try value(text).json == (try JSON(parsing: text.utf8)))
        #expect(Value.number(.nan).json == .null)
        let long = String(repeating: "x", count: TargetingLimits.shownSize + 1)
        #expect(Value.text(long).shown == .string(String(long.dropLast()) + "…"))
        let many = Value.list(.init(Array(repeating: .number(1), count: 1_000)))
        #expect(many.shown.array?.count == 99)
        #expect(Value(.number(try #require(JSON.Number("1e400")))) == nil)
    }

    @Test("values have the depth, weight and breadth that limit their evaluation")
    func size() throws {
        let nested = try value(#"[1,[{"a":1,"b":[]}],"0123456789abcdef"]"#)
        #expect(nested.depth == 4)
        #expect(nested.breadth == 2)
        guard case .list(let list) = nested else { return }
        #expect(list.weight == 1 + TargetingLimits.numberSteps + (1 + 1) + (1 + 1))
        #expect(try value("null").depth == 0)
    }
}
