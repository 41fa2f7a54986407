/// The character classes of RFC 9110 §5.6.2 and RFC 3986, as two-word bit sets.
///
/// They need no table in memory and no lazy global.
@usableFromInline
package enum ByteClass {
    /// Whether the byte is allowed in a token (RFC 9110 §5.6.2).
    @inline(__always)
    package static func isToken(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// Whether the byte is allowed in a path (RFC 3986 §3.3: `pchar`, "/" and "%").
    ///
    /// Also allows `[ ] ^ |`, which browsers send unencoded (WHATWG URL, path percent-encode set;
    /// older browsers don't encode `^`). Browsers send a backslash as a slash.
    @inline(__always)
    package static func isPath(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x2FFF_FFF2_0000_0000, high: 0x57FF_FFFE_EFFF_FFFF)
    }

    /// Whether the byte needs no escape anywhere in a URI (RFC 3986 §2.3).
    @inline(__always)
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }

    /// Whether the byte is allowed in a query (RFC 3986 §3.4).
    ///
    /// Also allows `[ \ ] ^ { | }` and the backquote, which browsers send unencoded (WHATWG URL,
    /// query percent-encode set).
    @inline(__always)
    package static func isQuery(_ byte: UInt8) -> Bool {
        contains(byte, low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
    }

    /// Whether the byte is allowed in a registered name (RFC 3986 §3.2.2, with "%").
    @inline(__always)
    package static func isRegisteredName(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x2BFF_7FF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }

    /// Whether the byte is allowed in a field value: HTAB, SP, VCHAR and obs-text (RFC 9110 §5.5).
    @inline(__always)
    package static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : byte == 0x09
    }

    /// Whether the byte is a decimal digit.
    @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    @inline(__always)
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The byte in lower case if it is an ASCII letter; else the byte.
    @inlinable @inline(__always)
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    @inline(__always)
    private static func contains(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
        guard byte < 128 else { return false }
        return ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
    }
}
