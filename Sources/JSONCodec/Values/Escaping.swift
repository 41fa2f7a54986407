/// The required escapes of strings (RFC 8259, section 7): quotes, backslashes and controls.
///
/// JSON doesn't require escapes for `/` and U+2028.
enum Escaping {
    /// Returns the number of bytes that must be escaped.
    @inline(__always)
    static func count(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in bytes where mustEscape(byte) { count += 1 }
        return count
    }

    @inline(__always)
    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Writes a quoted string and returns its length; each escape takes at most six bytes.
    @inline(__always)
    static func quote(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ escapes: Int,
        to out: UnsafeMutablePointer<UInt8>
    ) -> Int {
        out[0] = UInt8(ascii: "\"")
        var at = 1
        if escapes == 0 {
            if let start = bytes.baseAddress { (out + 1).update(from: start, count: bytes.count) }
            at += bytes.count
        } else {
            for byte in bytes {
                guard mustEscape(byte) else {
                    out[at] = byte
                    at += 1
                    continue
                }
                at += escape(byte, to: out + at)
            }
        }
        out[at] = UInt8(ascii: "\"")
        return at + 1
    }

    private static func escape(_ byte: UInt8, to out: UnsafeMutablePointer<UInt8>) -> Int {
        out[0] = UInt8(ascii: "\\")
        switch byte {
        case 0x08: out[1] = UInt8(ascii: "b")
        case 0x09: out[1] = UInt8(ascii: "t")
        case 0x0A: out[1] = UInt8(ascii: "n")
        case 0x0C: out[1] = UInt8(ascii: "f")
        case 0x0D: out[1] = UInt8(ascii: "r")
        case 0x00..<0x20:
            out[1] = UInt8(ascii: "u")
            out[2] = UInt8(ascii: "0")
            out[3] = UInt8(ascii: "0")
            out[4] = UInt8(ascii: "0") + byte >> 4
            let digit = byte & 0xF
            out[5] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            return 6
        default: out[1] = byte
        }
        return 2
    }
}
