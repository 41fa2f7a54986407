import Testing

@testable import JSONCodec

/// RFC 8259 §6: a number's text is converted to the nearest value, or to an exact integer.
@Suite("The text of a number")
struct NumberTextTests {
    private func with<Result>(_ text: String, _ body: (NumberText) -> Result) -> Result {
        Array(text.utf8).withUnsafeBytes { body(NumberText($0)) }
    }

    private func integer<T: FixedWidthInteger>(_ text: String, _: T.Type) -> T? {
        with(text) { try? $0.integer(T.self).get() }
    }

    @Test("is an integer if its value is one, up to the type's limits")
    func integers() {
        for (text, value) in [
            ("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("12.50e1", 125), ("-7", -7),
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("92233720368547758070e-1", .max), ("0e999999999999999999999", 0),
        ] as [(String, Int)] {
            #expect(integer(text, Int.self) == value, "\(text)")
        }
        #expect(integer("18446744073709551615", UInt64.self) == .max)
        #expect(integer("-128", Int8.self) == -128)
    }

    @Test("isn't an integer if fractional or out of range, and the error says which")
    func problems() {
        for text in ["1.5", "1e-1", "-0.1", "123456789012345678901.5e0"] {
            let result = with(text) { $0.integer(Int.self) }
            #expect(throws: IntegerProblem.fractional, "\(text)") { try result.get() }
        }
        for text in ["9223372036854775808", "-9223372036854775809", "1e19", "1e400"] {
            let result = with(text) { $0.integer(Int.self) }
            #expect(throws: IntegerProblem.outOfRange, "\(text)") { try result.get() }
        }
        #expect(integer("-1", UInt8.self) == nil)
        #expect(integer("256", UInt8.self) == nil)
    }

    @Test(
        "converts to the nearest double, like the standard library",
        arguments: [
            "0", "-0", "0.1", "1e22", "1e23", "9007199254740993", "2.2250738585072011e-308",
            "5e-324", "1.7976931348623157e308", "123456789012345678901234567890", "0.3e1", "1e-22",
        ]
    )
    func doubles(text: String) throws {
        let double = try #require(with(text) { $0.double() })
        #expect(double.bitPattern == Double(text)?.bitPattern)
        let float = with(text) { $0.float() }
        #expect(float == Float(text).flatMap { $0.isFinite ? $0 : nil })
    }

    @Test("isn't a number beyond the type's range")
    func beyond() {
        for text in ["1e309", "-1e309", "1e99999"] { #expect(with(text) { $0.double() } == nil) }
        #expect(with("3.5e38") { $0.float() } == nil)
        #expect(with("16777217") { $0.float() } == 16_777_216)
    }

    @Test("is plain if it has neither a point nor an exponent")
    func plain() {
        for text in ["0", "-12", "123"] { #expect(with(text) { $0.isPlain }, "\(text)") }
        for text in ["1.0", "1e2", "-1E3"] { #expect(with(text) { !$0.isPlain }, "\(text)") }
    }
}
