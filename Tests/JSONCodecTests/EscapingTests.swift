import Testing

@testable import JSONCodec

/// RFC 8259 §7: quotes, backslashes and controls must be escaped, and nothing else is.
@Suite("Escapes of strings")
struct EscapingTests {
    private func quoted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let quoted = [UInt8](unsafeUninitializedCapacity: bytes.count * 6 + 2) { out, count in
            guard let start = out.baseAddress else { return }
            count = bytes.withUnsafeBufferPointer {
                Escaping.quote($0, Escaping.count($0), to: start)
            }
        }
        return String(decoding: quoted, as: UTF8.self)
    }

    @Test(
        "short escapes are used if they exist",
        arguments: [
            ("", #""""#), ("plain é😀", #""plain é😀""#), ("a\"b\\c", #""a\"b\\c""#),
            ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\0\u{B}\u{1F}", #""\u0000\u000b\u001f""#),
            ("/\u{7F}\u{2028}", "\"/\u{7F}\u{2028}\""),
        ]
    )
    func escapes(text: String, quoted: String) {
        #expect(self.quoted(text) == quoted)
    }

    @Test("all control characters are escaped, and their length is counted")
    func controls() throws {
        let controls = String(
            String.UnicodeScalarView((UInt8(0)..<0x20).map { Unicode.Scalar($0) })
        )
        #expect(try JSON(parsing: quoted(controls).utf8) == .string(controls))
        let count = Array((controls + "\"\\x").utf8).withUnsafeBufferPointer(Escaping.count)
        #expect(count == 34)
    }
}
