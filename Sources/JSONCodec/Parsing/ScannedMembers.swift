/// The places of a member in a text.
struct ScannedMember {
    /// The hash of the decoded name.
    var hash: UInt64
    /// The offset of the name's first byte after its quote, and its length with escapes.
    var nameStart: UInt32
    var nameLength: UInt32
    /// The value's bytes; a string's with its quotes.
    var valueStart: UInt32
    var valueEnd: UInt32 = 0
    var isNameEscaped: Bool
    /// Whether the value is a string with escapes.
    var isValueEscaped = false

    var name: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameLength) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }

    /// Whether the decoded names are the same.
    func hasSameName(as other: ScannedMember, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard hash == other.hash else { return false }
        var mine = UnescapedBytes(bytes, name, isEscaped: isNameEscaped)
        var others = UnescapedBytes(bytes, other.name, isEscaped: other.isNameEscaped)
        while let byte = mine.next() {
            guard byte == others.next() else { return false }
        }
        return others.next() == nil
    }
}

/// The members that a scan finds, in memory that its owner deallocates.
///
/// An array's checks took a third of the scan.
struct ScannedMembers {
    private(set) var base: UnsafeMutablePointer<ScannedMember>
    private var capacity: Int
    var count = 0

    /// Up to this many members a comparison of all hashes is faster than a table.
    static let linearCount = NameTables.linearCount

    init(capacity: Int) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    func deallocate() { base.deallocate() }

    @inline(__always)
    func endValue(_ end: Int, isEscaped: Bool) {
        // An empty object has no member.
        guard count > 0 else { return }
        base[count &- 1].valueEnd = UInt32(truncatingIfNeeded: end)
        base[count &- 1].isValueEscaped = isEscaped
    }

    @inline(__always)
    mutating func append(_ member: ScannedMember) {
        if count == capacity {
            base = Self.copy(base, count)
            capacity *= 2
        }
        (base + count).initialize(to: member)
        count &+= 1
    }

    /// Moves members to memory for twice as many.
    @inline(never)
    private static func copy(
        _ base: UnsafeMutablePointer<ScannedMember>,
        _ count: Int
    ) -> UnsafeMutablePointer<ScannedMember> {
        let copy = UnsafeMutablePointer<ScannedMember>.allocate(capacity: count * 2)
        copy.moveInitialize(from: base, count: count)
        base.deallocate()
        return copy
    }

    /// Returns the table of the members from `first` on; nil at a duplicate name.
    ///
    /// Few members need none: the reused table returns unchanged.
    @inline(never)
    func table(
        from first: Int,
        in bytes: UnsafeRawBufferPointer,
        reusing old: consuming [UInt32]
    ) -> [UInt32]? {
        guard count - first > Self.linearCount else {
            for second in first + 1..<count {
                for other in first..<second
                where base[other].hasSameName(as: base[second], in: bytes) {
                    return nil
                }
            }
            return old
        }
        var size = 32
        while size < (count - first) * 2 { size *= 2 }
        var table = old
        if table.count == size {
            table.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        } else {
            table = Array(repeating: 0, count: size)
        }
        let isDistinct = table.withUnsafeMutableBufferPointer { table in
            for place in first..<count {
                var slot = Int(truncatingIfNeeded: base[place].hash) & (size - 1)
                while table[slot] != 0 {
                    let other = first + Int(table[slot]) - 1
                    if base[other].hasSameName(as: base[place], in: bytes) { return false }
                    slot = (slot + 1) & (size - 1)
                }
                table[slot] = UInt32(truncatingIfNeeded: place - first + 1)
            }
            return true
        }
        return isDistinct ? table : nil
    }

    /// Returns the place of a member of the outermost object; nil if there is none of this name.
    func place(
        of name: UnsafeRawBufferPointer,
        in bytes: UnsafeRawBufferPointer,
        _ table: [UInt32]
    ) -> Int? {
        let hash = NameHash.process(name)
        func isFound(_ place: Int) -> Bool {
            let member = base[place]
            guard member.hash == hash else { return false }
            return UnescapedBytes(bytes, member.name, isEscaped: member.isNameEscaped).equal(name)
        }
        guard count > Self.linearCount else { return (0..<count).first(where: isFound) }
        let mask = table.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while table[slot] != 0 {
            let place = Int(table[slot]) - 1
            if isFound(place) { return place }
            slot = (slot + 1) & mask
        }
        return nil
    }
}
