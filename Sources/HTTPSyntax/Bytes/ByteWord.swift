/// Eight bytes in one word.
///
/// A test returns a word with the high bit set in each matching byte. Parsers use it to skip runs
/// of common bytes, such as letters in a field's name, eight at a time. They check the byte that
/// ends a run individually. This halves the cost of a head. Tests don't carry between bytes, so
/// each bit is exact.
@usableFromInline
package struct ByteWord {
    @usableFromInline package let bits: UInt64

    /// Loads the eight bytes at `start`, the first as the least significant.
    @inlinable @inline(__always)
    init(_ start: UnsafePointer<UInt8>) {
        let word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
        bits = UInt64(littleEndian: word)
    }

    @inlinable @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// Loads the eight bytes at `place` in `bytes`, padded with zeros.
    @inlinable @inline(__always)
    package init(of bytes: ByteSpan, at place: Int) {
        let raw = UnsafeRawBufferPointer(bytes)
        guard place &+ 8 > bytes.count else {
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            self.init(bits: UInt64(littleEndian: word))
            return
        }
        // Loads the last eight bytes if there are as many.
        if bytes.count >= 8 {
            let last = raw.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
            let missing = place &+ 8 &- bytes.count
            self.init(
                bits: UInt64(littleEndian: last) &>> UInt64(truncatingIfNeeded: missing &<< 3)
            )
            return
        }
        let count = bytes.count &- place
        // Loads two halves, which overlap for fewer than eight bytes.
        if count >= 4 {
            let low = raw.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            let high = raw.loadUnaligned(fromByteOffset: bytes.count &- 4, as: UInt32.self)
            let shift = UInt64(truncatingIfNeeded: (count &- 4) &<< 3)
            self.init(
                bits: UInt64(UInt32(littleEndian: low)) | UInt64(UInt32(littleEndian: high))
                    &<< shift
            )
            return
        }
        var word: UInt64 = 0
        var at = bytes.count
        while at > place {
            at &-= 1
            word = word &<< 8 | UInt64(bytes[at])
        }
        self.init(bits: word)
    }

    @inlinable @inline(__always)
    package static var highs: UInt64 { 0x8080_8080_8080_8080 }

    /// Marks the bytes between `low` and `high`, both ASCII.
    @inlinable @inline(__always)
    package func within(_ low: UInt8, _ high: UInt8) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let rest = bits & ~Self.highs
        let reaches = rest &+ ones &* UInt64(0x80 - low)
        let exceeds = rest &+ ones &* UInt64(0x7F - high)
        return reaches & ~exceeds & ~bits & Self.highs
    }

    /// Marks the ASCII letters.
    @inlinable @inline(__always)
    package var letters: UInt64 { ByteWord(bits: bits | 0x2020_2020_2020_2020).within(0x61, 0x7A) }

    /// Marks the bytes that aren't ASCII.
    @inlinable @inline(__always)
    package var others: UInt64 { bits & Self.highs }

    /// The bytes with ASCII letters in lower case.
    @inlinable @inline(__always)
    package var lowercased: UInt64 { bits | within(0x41, 0x5A) >> 2 }
}

extension UnsafePointer<UInt8> {
    /// Skips common bytes, eight at a time.
    ///
    /// Stops at the first other byte, or when fewer than eight bytes are left before `end`.
    @inlinable @inline(__always)
    package func passing(to end: Self, _ common: (ByteWord) -> UInt64) -> Self {
        var cursor = self
        while end - cursor >= 8 {
            let found = ~common(ByteWord(cursor)) & ByteWord.highs
            guard found == 0 else { return cursor + found.trailingZeroBitCount / 8 }
            cursor += 8
        }
        return cursor
    }
}

extension ByteSpan {
    /// Returns the number of bytes that `UnsafePointer.passing` skips from the start.
    @inlinable @inline(__always)
    package func passing(_ common: (ByteWord) -> UInt64) -> Int {
        guard let start = baseAddress else { return 0 }
        return start.passing(to: start + count, common) - start
    }
}
