import Digests
package import HTTPSyntax

/// The text of a bearer token: `plug_`, a number of 12 hexadecimal digits, `_`, and a secret of 64
/// digits with 256 random bits.
///
/// The number is the lookup key and isn't secret. Secret scanners recognize the prefix.
package struct TokenText: Sendable {
    private static let prefix: StaticString = "plug_"
    private static let numberLength = 12
    /// The largest number: 48 bits, in 12 digits.
    static let maximumNumber: UInt64 = 1 << 48 - 1
    private static let length = 5 + numberLength + 1 + 64

    /// The number.
    package let number: UInt64
    /// The digest of the whole text, the only part that is stored.
    package let digest: [UInt8]

    /// Parses a token; returns nil for any other text.
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

    /// Generates the text of a new token, or a new text of a token with a number.
    static func generate(_ number: UInt64? = nil) -> String {
        // The system's generator is suitable for keys.
        var generator = SystemRandomNumberGenerator()
        let number = number ?? UInt64.random(in: 0...maximumNumber, using: &generator)
        let secret = (0..<4).map { _ in text(generator.next(), length: 16) }.joined()
        return "\(prefix)\(id(number))_\(secret)"
    }

    /// Returns the display form of a number.
    package static func id(_ number: UInt64) -> String { text(number, length: numberLength) }

    /// Parses a number's display form; returns nil for any other text.
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

    /// Parses a lowercase digit, so that each token has only one spelling.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func text(_ number: UInt64, length: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
    }
}
