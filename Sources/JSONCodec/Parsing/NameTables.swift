/// Finds members by name: a linear scan in small objects, a hash table in large ones.
///
/// The parser creates a large object's table when it closes the object, and finds duplicate names
/// with it. So neither this nor decoding is quadratic.
struct NameTables {
    private struct Table {
        var first: Int
        var mask: Int
    }

    private var tables: [Table] = []
    /// Indexes of names; 0 for an empty slot.
    private var slots: [UInt32] = []

    /// Up to this many members a linear scan is faster than hashing.
    static let linearCount = 8

    /// Creates a large object's table and returns the index of a duplicate name.
    mutating func add(_ object: Int, of tape: Tape) -> Int? {
        let count = Int(tape.nodes[object].length)
        var size = 32
        while size < count * 2 { size *= 2 }
        let table = Table(first: slots.count, mask: size - 1)
        slots.append(contentsOf: repeatElement(0, count: size))
        tables.append(table)
        tape.nodes[object].table = tables.count
        var name = object + 1
        let end = Int(tape.nodes[object].next)
        while name < end {
            if !tape.nodes[name].isHidden, !insert(name, of: tape, into: table) { return name }
            name = Int(tape.nodes[name + 1].next)
        }
        return nil
    }

    private mutating func insert(_ name: Int, of tape: Tape, into table: Table) -> Bool {
        let node = tape.nodes[name]
        var slot = Self.hash(node, of: tape) & table.mask
        while true {
            let other = Int(slots[table.first + slot])
            guard other != 0 else { break }
            if tape.sameName(tape.nodes[other], node) { return false }
            slot = (slot + 1) & table.mask
        }
        slots[table.first + slot] = UInt32(truncatingIfNeeded: name)
        return true
    }

    /// Returns the index of a name in an object with a table.
    func find(_ name: UnsafeRawBufferPointer, in object: Int, of tape: Tape) -> Int? {
        let table = tables[tape.nodes[object].table - 1]
        var slot = Self.hash(name) & table.mask
        while true {
            let other = Int(slots[table.first + slot])
            guard other != 0 else { return nil }
            if tape.isName(tape.nodes[other], name) { return other }
            slot = (slot + 1) & table.mask
        }
    }

    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        Int(truncatingIfNeeded: NameHash.process(name))
    }

    private static func hash(_ node: Node, of tape: Tape) -> Int {
        let span = tape.span(node)
        guard node.isEscaped else { return hash(span) }
        return Int(truncatingIfNeeded: NameHash.process(escaped: span))
    }
}

extension Tape {
    /// Returns the index of a member's value; nil if the object has no such member.
    func find(_ name: consuming String, in object: Int) -> Int? {
        name.withUTF8 { find(UnsafeRawBufferPointer($0), in: object) }
    }

    @inline(__always)
    func find(_ wanted: UnsafeRawBufferPointer, in object: Int) -> Int? {
        if nodes[object].table != 0 {
            return names.find(wanted, in: object, of: self).map { $0 + 1 }
        }
        var name = object + 1
        let end = Int(nodes[object].next)
        while name < end {
            if isName(nodes[name], wanted), !nodes[name].isHidden { return name + 1 }
            name = Int(nodes[name + 1].next)
        }
        return nil
    }

    /// Returns the index of a duplicate name in a small object.
    func repeatedName(in object: Int) -> Int? {
        let end = Int(nodes[object].next)
        var second = object + 1
        while second < end {
            var first = object + 1
            while first < second {
                if sameName(nodes[first], nodes[second]) { return second }
                first = Int(nodes[first + 1].next)
            }
            second = Int(nodes[second + 1].next)
        }
        return nil
    }

    @inline(__always)
    func isName(_ node: Node, _ wanted: UnsafeRawBufferPointer) -> Bool {
        if node.isEscaped { return UnescapedBytes(span(node)).equal(wanted) }
        return Int(node.length) == wanted.count && sameBytes(span(node), wanted)
    }

    func sameName(_ left: Node, _ right: Node) -> Bool {
        if right.isEscaped {
            var one = UnescapedBytes(span(left), isEscaped: left.isEscaped)
            var other = UnescapedBytes(span(right))
            while let byte = one.next() {
                guard byte == other.next() else { return false }
            }
            return other.next() == nil
        }
        return isName(left, span(right))
    }
}

/// Returns whether two spans of equal length have the same bytes.
@inline(__always)
private func sameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    while at + 8 <= left.count {
        let one = left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        guard one == right.loadUnaligned(fromByteOffset: at, as: UInt64.self) else { return false }
        at += 8
    }
    while at < left.count {
        guard left[at] == right[at] else { return false }
        at += 1
    }
    return true
}
