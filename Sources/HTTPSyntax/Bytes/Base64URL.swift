/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5).
package enum Base64URL {
    /// Returns the bytes' encoding.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
        )
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var held: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 6 {
                held -= 6
                text.append(alphabet[Int(bits >> held & 0x3F)])
            }
        }
        if held > 0 { text.append(alphabet[Int(bits << (6 - held) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; nil if it is empty or invalid.
    package static func decode(_ text: ByteSpan) -> [UInt8]? {
        guard !text.isEmpty, text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var held = 0
        for character in text {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            held += 6
            guard held >= 8 else { continue }
            held -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
        }
        // The last character's unused bits have to be zero.
        return bits & (1 << UInt32(held) - 1) == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 0x41...0x5A: character - 0x41
        case 0x61...0x7A: character - 0x61 + 26
        case 0x30...0x39: character - 0x30 + 52
        case 0x2D: 62
        case 0x5F: 63
        default: nil
        }
    }
}
