/// A range of bytes in another object's buffer, valid as long as that buffer.
@usableFromInline package typealias ByteSpan = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer<UInt8> {
    /// Compares with a lower-case text, ignoring the case of ASCII letters (RFC 9110 §5.1).
    @inlinable @inline(__always)
    package func equals(lowercase text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let other = text.utf8Start
        guard let start = baseAddress, count >= 8 else {
            for index in 0..<count where ByteClass.lowercased(self[index]) != other[index] {
                return false
            }
            return true
        }
        return Self.eachWord(count) { at in
            ByteWord(start + at).lowercased == ByteWord(other + at).bits
        }
    }

    /// Compares byte for byte.
    @inlinable @inline(__always)
    package func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let other = text.utf8Start
        guard let start = baseAddress, count >= 8 else {
            for index in 0..<count where self[index] != other[index] { return false }
            return true
        }
        return Self.eachWord(count) { ByteWord(start + $0).bits == ByteWord(other + $0).bits }
    }

    /// Compares byte for byte.
    @inlinable @inline(__always)
    package func equals(_ other: ByteSpan) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let place = other.baseAddress, count >= 8 else {
            return elementsEqual(other)
        }
        return Self.eachWord(count) { ByteWord(start + $0).bits == ByteWord(place + $0).bits }
    }

    /// Compares, ignoring the case of ASCII letters.
    package func equals(ignoringCase other: ByteSpan) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count
        where ByteClass.lowercased(self[index]) != ByteClass.lowercased(other[index]) {
            return false
        }
        return true
    }

    /// Tests each word of at least eight bytes; the last word may overlap the previous one.
    @inlinable @inline(__always)
    static func eachWord(_ count: Int, _ holds: (Int) -> Bool) -> Bool {
        var at = 0
        while at < count - 8 {
            guard holds(at) else { return false }
            at += 8
        }
        return holds(count - 8)
    }

    /// The span without leading and trailing spaces and tabs (OWS, RFC 9110 §5.6.3).
    package var trimmed: ByteSpan {
        var start = 0
        var end = count
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return slice(start, end)
    }

    /// The bytes from `start` up to `end`, exclusive.
    @inlinable @inline(__always)
    package func slice(_ start: Int, _ end: Int) -> ByteSpan {
        ByteSpan(rebasing: self[start..<end])
    }

    /// The bytes as a String, with invalid UTF-8 repaired; too slow for the hot path.
    package var text: String { String(decoding: self, as: UTF8.self) }

    /// Calls `body` with each non-empty member of a comma-separated list (RFC 9110 §5.6.1.2).
    ///
    /// A comma inside a quoted string doesn't separate members. `body` returns false to stop.
    @inline(__always)
    package func forEachListMember(hasEscapes: Bool = true, _ body: (ByteSpan) -> Bool) {
        var start = 0
        var index = 0
        var quoted = false
        while index <= count {
            if index == count || (self[index] == 0x2C && !quoted) {
                let member = slice(start, index).trimmed
                if !member.isEmpty, !body(member) { return }
                start = index + 1
            } else if self[index] == 0x22 {
                quoted.toggle()
            } else if hasEscapes, quoted, self[index] == 0x5C, index + 1 < count {
                index += 1
            }
            index += 1
        }
    }
}
