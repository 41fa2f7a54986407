/// A growing run of bytes to be sent: appended to at its end, sent from its start.
///
/// It keeps its memory when it is emptied, so that a loop which answers small requests allocates
/// nothing at all.
///
/// What each answer calls is `@inlinable`: what is only `package` is never inlined into another
/// module, and the calls were a fifth of a pipelined request's instructions.
@usableFromInline
package struct OutputBuffer: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var start = 0
    @usableFromInline var end = 0

    package init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// The number of bytes that wait to be sent.
    @inlinable package var count: Int { end - start }
    @inlinable package var isEmpty: Bool { end == start }

    /// The bytes that wait, valid until the next change.
    package var bytes: ByteSpan { ByteSpan(start: base + start, count: end - start) }

    /// Takes bytes away from the start: they have been sent.
    package mutating func consume(_ count: Int) {
        start += count
        if start == end { (start, end) = (0, 0) }
    }

    /// Takes bytes away from the end, until `count` are left.
    package mutating func truncate(to count: Int) { end = start + min(count, self.count) }

    /// Empties it; memory beyond `kept` bytes is given back.
    package mutating func removeAll(keepingCapacity kept: Int) {
        (start, end) = (0, 0)
        let kept = max(kept, 64)
        guard capacity > kept else { return }
        base.deallocate()
        capacity = kept
        base = .allocate(capacity: kept)
    }

    /// Makes room for `count` bytes and returns the place to write them to; `commit` follows.
    @inlinable @inline(__always)
    package mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - end < count { grow(count) }
        return base + end
    }

    /// Counts bytes in that were written to the reserved place.
    @inlinable @inline(__always)
    package mutating func commit(_ count: Int) { end += count }

    @inlinable @inline(__always)
    package mutating func append(_ bytes: ByteSpan) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(bytes.count).update(from: source, count: bytes.count)
        commit(bytes.count)
    }

    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        commit(text.utf8CodeUnitCount)
    }

    @inlinable @inline(__always)
    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    /// Appends a number in decimal digits.
    package mutating func append(decimal number: Int) {
        var rest = number.magnitude
        let place = reserve(20)
        var length = 1
        var bound: UInt = 10
        while length < 19, rest >= bound {
            length += 1
            bound &*= 10
        }
        var index = length
        while index > 0 {
            index -= 1
            place[index] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
        commit(length)
    }

    /// Appends a number in hexadecimal digits.
    package mutating func append(hexadecimal number: Int) {
        var rest = number.magnitude
        let length = max(1, (UInt.bitWidth - rest.leadingZeroBitCount + 3) / 4)
        let place = reserve(length)
        for index in (0..<length).reversed() {
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            place[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
            rest >>= 4
        }
        commit(length)
    }

    @usableFromInline
    mutating func grow(_ count: Int) {
        let used = end - start
        var wanted = capacity
        while wanted - used < count { wanted *= 2 }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: base + start, count: used)
        base.deallocate()
        base = larger
        (start, end, capacity) = (0, used, wanted)
    }
}
