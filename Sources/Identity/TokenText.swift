import Digests
package import HTTPSyntax

/// A bearer token as its bearer has it: `plug_`, a number of 12 hexadecimal digits, and a secret of
/// 64, which are 256 random bits.
///
/// The number finds it among others and is no secret. The prefix tells those who search texts for
/// secrets what it is.
package struct TokenText: Sendable {
    private static let prefix: StaticString = "plug_"
    private static let numberLength = 12
    private static let length = 5 + numberLength + 1 + 64

    /// The number.
    package let number: UInt64
    /// The digest of the whole text: all that is kept of it.
    package let digest: [UInt8]

    /// Reads a token; nil where it has another form.
    package init?(_ text: ByteSpan) {
        let prefix = Self.prefix
        let end = prefix.utf8CodeUnitCount + Self.numberLength
        guard text.count == Self.length, text.slice(0, prefix.utf8CodeUnitCount).equals(prefix),
            text[end] == 0x5F,
            let number = Self.number(text.slice(prefix.utf8CodeUnitCount, end)),
            text.slice(end + 1, text.count).allSatisfy({ Self.digit($0) != nil })
        else { return nil }
        self.number = number
        digest = Digest.sha256(text)
    }

    /// A new token's text.
    static func generate() -> String {
        // The system's generator, which is made for keys.
        var generator = SystemRandomNumberGenerator()
        let number = UInt64.random(in: 0..<(1 << 48), using: &generator)
        let secret = (0..<4).map { _ in text(generator.next(), length: 16) }.joined()
        return "\(prefix)\(id(number))_\(secret)"
    }

    /// A number as people see it.
    package static func id(_ number: UInt64) -> String { text(number, length: numberLength) }

    /// The number of what people see; nil where that is none.
    package static func number(id: String) -> UInt64? {
        guard id.utf8.count == numberLength else { return nil }
        return Array(id.utf8).withUnsafeBufferPointer(number)
    }

    private static func number(_ digits: ByteSpan) -> UInt64? {
        var number: UInt64 = 0
        for byte in digits {
            guard let digit = digit(byte) else { return nil }
            number = number << 4 | UInt64(digit)
        }
        return number
    }

    /// A digit in lower case: a token has one spelling.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func text(_ number: UInt64, length: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: length - digits.utf8.count) + digits
    }
}
