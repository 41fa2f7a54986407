import JSONCodec
import Testing

@Suite("Parsing of strings (RFC 8259 §7 and §8)")
struct TokenScannerStringsTests {
    @Test("rejects invalid UTF-8", arguments: BadTexts.bytes)
    func invalidUTF8(_ bytes: [UInt8]) {
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        #expect(throws: JSONError.self) { try JSON(parsing: quoted) }
        #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
    }

    @Test("an escaped code unit has four hexadecimal digits of either case (RFC 8259 §7)")
    func codeUnits() throws {
        for unit in 0...0xFFFF as ClosedRange<UInt32> {
            let digits = String(unit, radix: 16)
            let lower = String(repeating: "0", count: 4 - digits.count) + digits
            let text = #"["\u\#(lower)","\u\#(lower.uppercased())"]"#
            guard let scalar = Unicode.Scalar(unit) else {
                #expect(throws: JSONError.self) { try json(text) }
                continue
            }
            let value = JSON.string(String(scalar))
            #expect(try json(text) == .array([value, value]))
        }
    }

    @Test("other characters are rejected at each position of a code unit (RFC 8259 §7)")
    func digits() {
        let letters = "0123456789abcdefABCDEF".utf8
        for place in 3..<7 {
            for byte in 0...255 as ClosedRange<UInt8> where !letters.contains(byte) {
                var bytes = Array(#""\u0041""#.utf8)
                bytes[place] = byte
                #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
            }
        }
    }

    @Test("decodes escapes")
    func escapes() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude42\u0000""#
        #expect(try json(text).string == "\"\\/\u{8}\u{C}\n\r\tAé€🙂\u{0}")
    }
}
