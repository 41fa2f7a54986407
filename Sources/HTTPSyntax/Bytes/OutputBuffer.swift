/// A byte queue for output: appended at its end, sent from its start.
///
/// It keeps its memory when it is emptied, so that a loop that sends small responses doesn't
/// allocate.
///
/// The functions called for each response are `@inlinable`. `package` functions aren't inlined into
/// other modules, and the calls took a fifth of a pipelined request's instructions.
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

    /// The number of unsent bytes.
    @inlinable package var count: Int { end - start }
    @inlinable package var isEmpty: Bool { end == start }

    /// The unsent bytes, valid until the next change.
    package var bytes: ByteSpan { ByteSpan(start: base + start, count: end - start) }

    /// Removes sent bytes from the start.
    package mutating func consume(_ count: Int) {
        start += count
        if start == end { (start, end) = (0, 0) }
    }

    /// Removes bytes from the end, until `count` are left.
    package mutating func truncate(to count: Int) { end = start + min(count, self.count) }

    /// Empties the buffer and frees memory beyond `kept` bytes.
    package mutating func removeAll(keepingCapacity kept: Int) {
        (start, end) = (0, 0)
        let kept = max(kept, 64)
        guard capacity > kept else { return }
        base.deallocate()
        capacity = kept
        base = .allocate(capacity: kept)
    }

    /// Reserves room for `count` bytes and returns its address.
    ///
    /// Call `commit` after writing.
    @inlinable @inline(__always)
    package mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - end < count { grow(count) }
        return base + end
    }

    /// Appends `count` bytes that were written to the reserved room.
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

    /// Appends a number in decimal.
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

    /// Appends a number in hexadecimal.
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
