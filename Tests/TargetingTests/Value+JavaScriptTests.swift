import JSONCodec
import Testing

@testable import Targeting

/// ECMA-262 §7: conversions and comparisons of values, with JSONLogic's exception for empty lists.
@Suite("JavaScript conversions and comparisons of values")
struct ValueJavaScriptTests {
    private func value(_ text: String) throws -> Value {
        try #require(Value(try JSON(parsing: text.utf8)), "\(text)")
    }

    @Test("truth is JavaScript's, but an empty list is false")
    func truth() throws {
        for text in ["true", "1", "-0.5", "\"0\"", "[0]", "{}"] {
            #expect(try value(text).isTrue, "\(text)")
        }
        for text in ["null", "false", "0", "-0", "\"\"", "[]"] {
            #expect(try !value(text).isTrue, "\(text)")
        }
        #expect(!Value.number(.nan).isTrue)
    }

    @Test("values convert to numbers (7.1.4)")
    func numbers() throws {
        for (text, number) in [
            ("null", 0), ("true", 1), ("false", 0), ("\" 12 \"", 12), ("\"\"", 0), ("[]", 0),
            ("[7]", 7), ("[[\"7\"]]", 7),
        ] as [(String, Double)] {
            #expect(try value(text).number() == number, "\(text)")
        }
        for text in ["{}", "\"x\"", "[1,2]"] {
            #expect(try value(text).number().isNaN, "\(text)")
        }
        #expect(try value("\"12px\"").leadingNumber() == 12)
        #expect(try value("null").leadingNumber().isNaN)
    }

    @Test("values convert to texts (7.1.17)")
    func texts() throws {
        for (json, text) in [
            ("null", "null"), ("[null]", ""), ("[1,[2,null],\"a\"]", "1,2,,a"), ("1.0", "1"),
            ("{}", "[object Object]"), ("[{}]", "[object Object]"), ("true", "true"),
        ] {
            #expect(try value(json).text() == text, "\(json)")
        }
        #expect(try Value.number(.nan).text() == "NaN")
        #expect(try Value.number(-.infinity).text() == "-Infinity")
        let half = Value.text(String(repeating: "x", count: TargetingLimits.textSize / 2))
        #expect(throws: Stop.textTooLong) { try Value.list(.init([half, half])).text() }
    }

    @Test("loose equality (7.2.14) is symmetric")
    func equality() throws {
        for (left, right, isEqual) in [
            ("1", "\"1.0\"", true), ("1", "true", true), ("1", "[1]", true), ("\"\"", "0", true),
            ("null", "null", true), ("null", "0", false), ("null", "false", false),
            ("[1]", "[1]", false), ("{}", "{}", false), ("[1,2]", "\"1,2\"", true),
            ("{}", "\"[object Object]\"", true), ("\"a\"", "\"A\"", false), ("2", "true", false),
        ] {
            let (one, other) = (try value(left), try value(right))
            #expect(try one.isLooselyEqual(to: other) == isEqual, "\(left) \(right)")
            #expect(try other.isLooselyEqual(to: one) == isEqual, "\(right) \(left)")
        }
        // The bytes decide: é as one scalar and as two are different texts.
        #expect(!Value.text("\u{E9}").isIdentical(to: .text("e\u{301}")))
        #expect(!Value.number(.nan).isIdentical(to: .number(.nan)))
        #expect(try !value("1").isIdentical(to: value("\"1\"")))
    }

    @Test("texts are ordered by UTF-16 units, other values as numbers (7.2.13)")
    func order() throws {
        for (left, right, order) in [
            ("\"10\"", "\"9\"", -1), ("10", "\"9\"", 1), ("\"a\"", "\"ab\"", -1), ("2", "2", 0),
            ("[2]", "\"10\"", 1), ("null", "1", -1), ("1", "\"x\"", nil), ("\"x\"", "1", nil),
            // A surrogate pair begins with D83D, which is below U+FF5E.
            ("\"\u{1F600}\"", "\"\u{FF5E}\"", -1), ("\"\u{1F600}\"", "\"\u{D7FF}\"", 1),
        ] as [(String, String, Int?)] {
            #expect(try value(left).order(to: value(right)) == order, "\(left) \(right)")
        }
    }
}
