/// Eight bytes in one word.
///
/// A test gives a word in which a byte's high bit says yes. Runs of what is common (letters in a
/// field's name, visible characters in its value) are passed eight at a time this way; what ends a run
/// is looked at as a single byte. It halved what a head costs. No test carries from one byte into the
/// next, so that each bit is exact.
@usableFromInline
package struct ByteWord {
    @usableFromInline package let bits: UInt64

    /// The eight bytes from `start` on, the first in the lowest place.
    @inlinable @inline(__always)
    init(_ start: UnsafePointer<UInt8>) {
        let word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
        bits = UInt64(littleEndian: word)
    }

    @inlinable @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// The eight bytes from a place within `bytes` on, zeros after the last.
    @inlinable @inline(__always)
    package init(of bytes: ByteSpan, at place: Int) {
        let raw = UnsafeRawBufferPointer(bytes)
        guard place &+ 8 > bytes.count else {
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            self.init(bits: UInt64(littleEndian: word))
            return
        }
        // The last eight, if there are as many.
        if bytes.count >= 8 {
            let last = raw.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
            let missing = place &+ 8 &- bytes.count
            self.init(
                bits: UInt64(littleEndian: last) &>> UInt64(truncatingIfNeeded: missing &<< 3)
            )
            return
        }
        let count = bytes.count &- place
        // Two halves, which overlap in fewer than eight.
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

    /// Which bytes lie within these two, both ASCII.
    @inlinable @inline(__always)
    package func within(_ low: UInt8, _ high: UInt8) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let rest = bits & ~Self.highs
        let reaches = rest &+ ones &* UInt64(0x80 - low)
        let exceeds = rest &+ ones &* UInt64(0x7F - high)
        return reaches & ~exceeds & ~bits & Self.highs
    }

    /// Which bytes are ASCII letters.
    @inlinable @inline(__always)
    package var letters: UInt64 { ByteWord(bits: bits | 0x2020_2020_2020_2020).within(0x61, 0x7A) }

    /// Which bytes are not ASCII.
    @inlinable @inline(__always)
    package var others: UInt64 { bits & Self.highs }

    /// The bytes with ASCII letters in lower case.
    @inlinable @inline(__always)
    package var lowercased: UInt64 { bits | within(0x41, 0x5A) >> 2 }
}

extension UnsafePointer<UInt8> {
    /// Passes bytes that are common, eight at a time, and stops before `end` at the latest: at one
    /// that isn't, or where fewer than eight are left.
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
    /// How many bytes from the first on `UnsafePointer.passing` passes.
    @inlinable @inline(__always)
    package func passing(_ common: (ByteWord) -> UInt64) -> Int {
        guard let start = baseAddress else { return 0 }
        return start.passing(to: start + count, common) - start
    }
}
