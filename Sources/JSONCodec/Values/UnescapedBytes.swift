/// The bytes of a string, one by one, without its escapes.
///
/// The parser has already validated the escapes.
struct UnescapedBytes: IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private let isEscaped: Bool
    private var at = 0
    /// The remaining bytes of one scalar, the next in the low byte.
    private var pending: UInt32 = 0

    init(_ bytes: UnsafeRawBufferPointer, isEscaped: Bool = true) {
        self.bytes = bytes
        self.isEscaped = isEscaped
    }

    /// Iterates over a part of a text.
    init(_ bytes: UnsafeRawBufferPointer, _ part: Range<Int>, isEscaped: Bool) {
        self.init(UnsafeRawBufferPointer(rebasing: bytes[part]), isEscaped: isEscaped)
    }

    mutating func next() -> UInt8? {
        if pending != 0 {
            let byte = UInt8(truncatingIfNeeded: pending)
            pending >>= 8
            return byte
        }
        guard at < bytes.count else { return nil }
        let byte = bytes[at]
        at += 1
        guard isEscaped, byte == UInt8(ascii: "\\") else { return byte }
        let escape = bytes[at]
        at += 1
        switch escape {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"): return scalar()
        default: return escape
        }
    }

    /// Returns the decoded string.
    static func string(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { buffer in
            var count = 0
            var unescaped = UnescapedBytes(bytes)
            while let byte = unescaped.next() {
                buffer[count] = byte
                count += 1
            }
            return count
        }
    }

    /// Whether both have the same bytes.
    func equal(_ other: UnsafeRawBufferPointer) -> Bool {
        var mine = self
        for byte in other {
            guard mine.next() == byte else { return false }
        }
        return mine.next() == nil
    }

    /// Returns the first byte of an escaped scalar, and stores the others in `pending`.
    private mutating func scalar() -> UInt8 {
        var value = hexadecimal()
        if value & 0xFC00 == 0xD800 {
            at += 2  // the \u of the low surrogate
            value = 0x10000 + (value & 0x3FF) << 10 + (hexadecimal() & 0x3FF)
        }
        func tail(_ shift: UInt32) -> UInt32 { 0x80 | value >> shift & 0x3F }
        switch value {
        case 0..<0x80:
            return UInt8(truncatingIfNeeded: value)
        case 0x80..<0x800:
            pending = tail(0)
            return UInt8(truncatingIfNeeded: 0xC0 | value >> 6)
        case 0x800..<0x10000:
            pending = tail(6) | tail(0) << 8
            return UInt8(truncatingIfNeeded: 0xE0 | value >> 12)
        default:
            pending = tail(12) | tail(6) << 8 | tail(0) << 16
            return UInt8(truncatingIfNeeded: 0xF0 | value >> 18)
        }
    }

    private mutating func hexadecimal() -> UInt32 {
        defer { at += 4 }
        return codeUnit(bytes, at: at) ?? 0
    }
}

/// Returns the value of four hexadecimal digits; nil if one is invalid.
func codeUnit(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt32? {
    guard let first = hexadecimalDigit(bytes[place]),
        let second = hexadecimalDigit(bytes[place + 1]),
        let third = hexadecimalDigit(bytes[place + 2]),
        let fourth = hexadecimalDigit(bytes[place + 3])
    else { return nil }
    return UInt32(first) << 12 | UInt32(second) << 8 | UInt32(third) << 4 | UInt32(fourth)
}

/// Returns the value of a hexadecimal digit; nil if it is invalid.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    let digit = byte &- UInt8(ascii: "0")
    if digit < 10 { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
}
