/// Removes the secrets of bearer tokens from texts for logs, traces and responses.
///
/// A client may put a token in a path by mistake: `GET /tokens/plug_…`. Everyone who reads the logs
/// could use it. Of a JSON Web Token only the header stays.
package enum TokenMask {
    /// The text in place of a secret.
    private static let mask: StaticString = "***"
    private static let prefix: StaticString = "plug_"
    /// The length of the number between the prefix and the secret.
    private static let numberLength = 12

    /// Returns a text without secrets.
    package static func masked(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard secret(in: bytes, from: 0) != nil else { return nil as String? }
            var masked: [UInt8] = []
            append(bytes, to: &masked)
            return String(decoding: masked, as: UTF8.self)
        } ?? text
    }

    /// Appends a text without its secrets, also percent-encoded ones.
    package static func append(_ text: ByteSpan, to bytes: inout [UInt8]) {
        var start = 0
        while let secret = secret(in: text, from: start) {
            bytes += text.slice(start, secret.lowerBound)
            bytes += UnsafeBufferPointer(start: mask.utf8Start, count: mask.utf8CodeUnitCount)
            start = secret.upperBound
        }
        bytes += text.slice(start, text.count)
    }

    /// Returns the place of the first secret: after `plug_`, a number and `_`, or after a JSON Web
    /// Token's header; nil if there is none.
    private static func secret(in text: ByteSpan, from start: Int) -> Range<Int>? {
        var begin = start
        // No JSON Web Token begins before it: a second search of the same text is quadratic.
        var searched = start
        while begin < text.count {
            // Most characters end the search here.
            let byte = text[begin]
            let isEncoded = byte == UInt8(ascii: "%")
            if byte | 0x20 == UInt8(ascii: "p") || isEncoded {
                if let secret = secret(in: text, after: begin) { return secret }
            }
            if byte == UInt8(ascii: "e") || isEncoded, begin >= searched {
                switch WebTokenMask.find(in: text, at: begin) {
                case .secret(let secret): return secret
                case .none(let end): searched = end
                }
            }
            begin += 1
        }
        return nil
    }

    private static func secret(in text: ByteSpan, after begin: Int) -> Range<Int>? {
        var place = begin
        for index in 0..<prefix.utf8CodeUnitCount {
            // Also in capitals: a reader could restore them.
            guard let (byte, next) = character(of: text, at: place),
                byte | 0x20 == prefix.utf8Start[index] | 0x20
            else { return nil }
            place = next
        }
        for _ in 0..<numberLength {
            guard let (byte, next) = character(of: text, at: place), isHexadecimal(byte) else {
                return nil
            }
            place = next
        }
        guard let (separator, next) = character(of: text, at: place), separator == 0x5F else {
            return nil
        }
        var end = next
        while let (byte, next) = character(of: text, at: end), isHexadecimal(byte) { end = next }
        return end > next ? next..<end : nil
    }

    /// Returns a character, decoded if it is percent-encoded (RFC 3986 §2.1), and the next place.
    static func character(of text: ByteSpan, at place: Int) -> (UInt8, Int)? {
        guard place < text.count else { return nil }
        guard text[place] == UInt8(ascii: "%"), place + 2 < text.count,
            let high = digit(text[place + 1]), let low = digit(text[place + 2])
        else { return (text[place], place + 1) }
        return (high << 4 | low, place + 3)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { digit(byte) != nil }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
