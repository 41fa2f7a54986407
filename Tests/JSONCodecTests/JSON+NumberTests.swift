import JSONCodec
import Testing

@Suite("A JSON number")
struct JSONNumberTests {
    @Test(
        "is an integer if its value is one",
        arguments: [
            ("1", 1), ("-0", 0), ("1.0", 1), ("1e2", 100), ("1.50e1", 15), ("100e-2", 1),
            ("0e999999999999999999", 0), ("0.00", 0), ("9223372036854775807", Int.max),
            ("-9223372036854775808", Int.min), ("-922337203685477580.8e1", Int.min),
            ("0.001e3", 1), ("10.0", 10),
        ]
    )
    func integers(_ text: String, _ value: Int) {
        #expect(JSON.Number(text)?.int == value)
    }

    @Test(
        "isn't an integer if it is fractional or too large",
        arguments: [
            "1.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19",
            "1e999999999999999",
            "1e-99999999999999999999", "123456789012345678901234567890",
        ]
    )
    func notIntegers(_ text: String) {
        #expect(JSON.Number(text) != nil)
        #expect(JSON.Number(text)?.int == nil)
    }

    @Test(
        "converts to the nearest double",
        arguments: [
            ("0.1", 0.1), ("-2.5e-3", -0.0025), ("1e22", 1e22), ("1e23", 1e23),
            ("5e-324", Double.leastNonzeroMagnitude),
            ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1e-400", 0),
            ("9007199254740993", 9_007_199_254_740_992), ("0.30000000000000004", 0.1 + 0.2),
        ]
    )
    func doubles(_ text: String, _ value: Double) {
        #expect(JSON.Number(text)?.double == value)
    }

    @Test("isn't a double beyond the range")
    func infinite() {
        #expect(JSON.Number("1e400")?.double == nil)
        #expect(JSON.Number(Double.infinity) == nil)
        #expect(JSON.Number(Double.nan) == nil)
    }

    @Test(
        "is parsed only from a text with exactly one number",
        arguments: [
            "", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", " 1", "1 ",
            "1,",
        ]
    )
    func notNumbers(_ text: String) {
        #expect(JSON.Number(text) == nil)
    }

    @Test(
        "is written as in JavaScript",
        arguments: [
            (1.0, "1"), (-0.0, "0"), (0.5, "0.5"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
            (123456789.125, "123456789.125"), (1e-6, "0.000001"), (1.5e-7, "1.5e-7"),
            (-1e300, "-1e+300"),
            (Double.leastNonzeroMagnitude, "5e-324"), (100, "100"),
            (0.1 + 0.2, "0.30000000000000004"),
        ]
    )
    func shortest(_ value: Double, _ text: String) throws {
        #expect(JSON.Number(value)?.text == text)
        #expect(JSON.Number(text)?.double == value)
    }
}
