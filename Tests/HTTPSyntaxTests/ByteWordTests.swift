import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Words of eight bytes")
struct ByteWordTests {
    /// The bytes for which a test says yes, as places.
    private func places(_ word: UInt64) -> [Int] {
        (0..<8).filter { word >> (UInt64($0) * 8 + 7) & 1 == 1 }
    }

    private func word(_ bytes: [UInt8]) -> ByteWord? {
        bytes.withUnsafeBufferPointer { $0.baseAddress.map(ByteWord.init) }
    }

    @Test(
        "a byte's class is detected at each position, independent of its neighbours",
        arguments: [0x00, 0x2D, 0x41, 0x7A, 0x80, 0xFF] as [UInt8]
    )
    func classes(neighbour: UInt8) throws {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<8 {
                var bytes = [UInt8](repeating: neighbour, count: 8)
                bytes[place] = byte
                let word = try #require(self.word(bytes))
                func expected(_ isIn: (UInt8) -> Bool) -> [Int] {
                    bytes.indices.filter { isIn(bytes[$0]) }
                }
                #expect(places(word.within(0x2D, 0x39)) == expected { (0x2D...0x39).contains($0) })
                #expect(places(word.within(0x20, 0x7E)) == expected { (0x20...0x7E).contains($0) })
                #expect(places(word.letters) == expected { isLetter($0) })
                #expect(places(word.others) == expected { $0 >= 0x80 })
            }
        }
    }

    /// Runs a body with the bytes flush against a page that can't be read.
    private func within<Result>(_ bytes: [UInt8], _ body: (ByteSpan) -> Result) -> Result {
        let guarded = GuardedBytes(bytes)
        return withExtendedLifetime(guarded) { body(guarded.span) }
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    @Test("only upper-case letters are lowercased")
    func lowercased() throws {
        for byte in UInt8.min...UInt8.max {
            let bytes = [UInt8](repeating: byte, count: 8)
            let lower = [UInt8](repeating: ByteClass.lowercased(byte), count: 8)
            let (word, lowered) = (try #require(self.word(bytes)), try #require(self.word(lower)))
            #expect(word.lowercased == lowered.bits)
        }
    }

    @Test("a run ends at its first other byte, and never after the end")
    func passing() {
        for length in 0...20 {
            for stop in 0...length {
                let common = [UInt8](repeating: 0x61, count: stop)
                let bytes = common + [UInt8](repeating: 0x3A, count: length - stop)
                let passed = within(bytes) { $0.passing(\.letters) }
                #expect(passed <= stop)
                #expect(passed == stop || length - passed < 8)
            }
        }
    }

    @Test("names of every length are compared up to their last byte")
    func equality() {
        let texts: [StaticString] = [
            "", "h", "host", "if-match", "connection", "content-length", "x-forwarded-for-",
            "transfer-encoding",
        ]
        for text in texts {
            let bytes = Array(text.description.utf8)
            let upper = Array(text.description.uppercased().utf8)
            #expect(within(bytes) { $0.equals(text) })
            #expect(within(upper) { $0.equals(lowercase: text) })
            for index in bytes.indices {
                var other = bytes
                other[index] ^= 0x10
                #expect(!within(other) { $0.equals(text) })
                #expect(!within(other) { $0.equals(lowercase: text) })
            }
        }
    }

    @Test(
        "a word has the eight bytes at a position, and zeros after the last byte",
        arguments: 0...17
    )
    func zeroPadded(count: Int) {
        let bytes = (0..<count).map { UInt8($0 + 1) }
        within(bytes) { span in
            for place in 0..<count {
                let word = ByteWord(of: span, at: place).bits
                let expected = (0..<8).map { place + $0 < count ? bytes[place + $0] : 0 }
                #expect((0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } == expected)
            }
        }
    }
}
