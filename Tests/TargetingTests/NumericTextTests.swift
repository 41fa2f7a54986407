import Testing

@testable import Targeting

@Suite("Numeric texts (ECMA-262)")
struct NumericTextTests {
    @Test(
        "Number() converts only a complete text",
        arguments: [
            ("", 0), ("  ", 0), ("\u{A0}\u{FEFF}\t\n7\u{2028}\u{3000}", 7), ("1.", 1), (".5", 0.5),
            ("+1", 1), ("-1.5e2", -150), ("1E+2", 100), ("0x1F", 31), ("0XfF", 255), ("0b101", 5),
            ("0o17", 15), ("007", 7), ("Infinity", .infinity), ("-Infinity", -.infinity),
            ("1e999", .infinity), ("12345678901234567890", 12_345_678_901_234_567_168),
        ] as [(String, Double)]
    )
    func numbers(_ text: String, _ number: Double) {
        #expect(NumericText.number(text) == number)
    }

    @Test(
        "Number() returns NaN for other texts",
        arguments: [
            ".", "+", "-", "e1", "1e", "1e+", "1 2", "1a", "0x", "0xG", "-0x1", "0b2", "0o8", "--1",
            "inf", "nan", "NaN", "infinity", "Infinityx", "1_0", "1,0", "0x1p3", "١",
        ]
    )
    func refused(_ text: String) {
        #expect(NumericText.number(text).isNaN)
    }

    @Test(
        "parseFloat() converts a leading number",
        arguments: [
            ("3px", 3), ("  -2.5e1e", -25), ("1e", 1), ("1.e", 1), (".5.5", 0.5), ("0x10", 0),
            ("Infinityx", .infinity), ("1 2", 1),
        ] as [(String, Double)]
    )
    func prefixes(_ text: String, _ number: Double) {
        #expect(NumericText.leadingNumber(text) == number)
    }

    @Test(
        "parseFloat() returns NaN without a leading number",
        arguments: ["", "px", ".", "-", "e5", ".e5", "true"]
    )
    func noPrefix(_ text: String) {
        #expect(NumericText.leadingNumber(text).isNaN)
    }

    @Test("white space and line ends around a number are ignored (ECMA-262 §12.2, §12.3)")
    func spaces() throws {
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isSpace =
                [0x9, 0xA, 0xB, 0xC, 0xD, 0xFEFF, 0x2028, 0x2029].contains(value)
                || scalar.properties.generalCategory == .spaceSeparator
            for text in ["\(scalar)7", "7\(scalar)", "\(scalar) \(scalar)7\(scalar)\u{3000}"]
            where !(0x30...0x39).contains(value) && !"+-.".unicodeScalars.contains(scalar) {
                #expect((NumericText.number(text) == 7) == isSpace, "\(value)")
            }
        }
        #expect(NumericText.number(" \u{2000}\u{A0}\u{3000}") == 0)
    }
}
