import Testing

@testable import JSONCodec

/// RFC 8259 §7.
@Suite("Unescaped bytes of strings")
struct UnescapedBytesTests {
    private func unescaped(_ text: String, isEscaped: Bool = true) -> [UInt8] {
        Array(text.utf8).withUnsafeBytes { bytes in
            Array(IteratorSequence(UnescapedBytes(bytes, isEscaped: isEscaped)))
        }
    }

    @Test(
        "each escape is decoded to UTF-8",
        arguments: [
            (#"a\"b\\c\/"#, "a\"b\\c/"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"), ("", ""),
            (#"\u0000"#, "\0"), (#"\u007F\u0080"#, "\u{7F}\u{80}"),
            (#"\u07ff\u0800"#, "\u{7FF}\u{800}"),
            (#"\uFFFF"#, "\u{FFFF}"), (#"\ud800\udc00"#, "\u{10000}"), (#"x\uD83D\uDE00y"#, "x😀y"),
            (#"\udbff\udfff"#, "\u{10FFFF}"), ("é😀", "é😀"),
        ]
    )
    func escapes(text: String, plain: String) {
        #expect(unescaped(text) == Array(plain.utf8))
        let same = Array(text.utf8).withUnsafeBytes { bytes in
            Array(plain.utf8).withUnsafeBytes { UnescapedBytes(bytes).equal($0) }
        }
        #expect(same)
    }

    @Test("a string without escapes retains its backslashes")
    func plain() {
        #expect(unescaped(#"a\n"#, isEscaped: false) == Array(#"a\n"#.utf8))
    }

    @Test("a prefix isn't equal")
    func equality() {
        for (text, other) in [(#"a\n"#, "a"), (#"a\n"#, "a\nb"), (#"\u0041"#, "a"), ("", "a")] {
            let same = Array(text.utf8).withUnsafeBytes { bytes in
                Array(other.utf8).withUnsafeBytes { UnescapedBytes(bytes).equal($0) }
            }
            #expect(!same, "\(text) \(other)")
        }
    }

    @Test("a code unit has four hexadecimal digits of either case")
    func digits() {
        #expect("0123456789abcdefABCDEF".utf8.compactMap(hexadecimalDigit).count == 22)
        #expect("/:@G`g\u{7F}\0 -".utf8.compactMap(hexadecimalDigit) == [])
        func unit(_ text: String) -> UInt32? {
            Array(text.utf8).withUnsafeBytes { codeUnit($0, at: 0) }
        }
        #expect(unit("00e9") == 0xE9)
        #expect(unit("FFFF") == 0xFFFF)
        for text in ["g000", "0g00", "00g0", "000g"] { #expect(unit(text) == nil) }
    }
}
