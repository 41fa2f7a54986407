import Testing

@testable import JSONCodec

/// RFC 8259 §6: a number's digits and its exponent.
@Suite("Numbers in decimal digits")
struct DecimalTextTests {
    private func number(_ text: String) throws -> DecimalText {
        try #require(DecimalText(text), "\(text)")
    }

    @Test("equal numbers have one normal form")
    func normal() throws {
        for (texts, normal) in [
            (["0", "-0", "0.000", "0e5", "0e99999999999999999999", "-0.0E-3"], "0"),
            (["1", "1.0", "10e-1", "0.1e1", "1E0", "1e+0"], "1e0"),
            (["-1200", "-1.2e3", "-12e2", "-0.0012E6"], "-12e2"),
            (["0.3", "3e-1", "0.30"], "3e-1"),
            (["12345678901234567890.5"], "123456789012345678905e-1"),
        ] {
            for text in texts { #expect(try number(text).normal == normal, "\(text)") }
        }
    }

    @Test("an exponent of 2^40 or more is rejected, and so is a text that isn't a number")
    func invalid() throws {
        #expect(try number("1e1099511627775").exponent == 1 << 40 - 1)
        for text in ["1e1099511627776", "1e-1099511627776", "1e99999999999999999999", "x", "1x2"] {
            #expect(DecimalText(text) == nil, "\(text)")
        }
    }

    @Test("the order is exact, whatever the notation")
    func order() throws {
        let ordered = [
            "-1e300", "-10", "-9.99", "-1", "-1e-300", "0", "1e-300", "0.1", "0.10000000000000001",
            "0.3", "1", "9007199254740992", "9007199254740993", "1e300",
        ]
        for (left, one) in ordered.enumerated() {
            for (right, two) in ordered.enumerated() {
                let order = try number(one).order(to: try number(two))
                #expect(order.signum() == (left - right).signum(), "\(one) \(two)")
            }
        }
    }

    @Test("multiples are exact: 0.3 is three times 0.1")
    func multiples() throws {
        for (text, unit, isMultiple) in [
            ("0.3", "0.1", true), ("0.35", "0.1", false), ("0", "7", true), ("21", "7", true),
            ("22", "7", false), ("-21", "7", true), ("1e30", "3", false), ("3e30", "3", true),
            ("1e1000000000", "1e999999999", true), ("1.5", "2.5", false), ("7.5", "2.5", true),
            ("100", "1e2", true), ("150", "1e2", false),
        ] {
            let found = try number(text).isMultiple(of: try number(unit))
            #expect(found == isMultiple, "\(text) \(unit)")
        }
        #expect(try number("123456789012345678").isPositiveUnit)
        for text in ["1234567890123456789", "0", "-1"] {
            #expect(try !number(text).isPositiveUnit, "\(text)")
        }
    }
}
