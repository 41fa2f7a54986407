extension Arena {
    /// An upper limit of the document's length: each value may add a comma, a colon and brackets.
    var maximumLength: Int { used + count * 4 }

    /// Writes the document, with members sorted by the bytes of their names, and returns its
    /// length.
    func serialize(to out: UnsafeMutablePointer<UInt8>) -> Int {
        var end = out
        write(0, to: &end)
        return end - out
    }

    private func write(_ index: Int, to out: inout UnsafeMutablePointer<UInt8>) {
        let node = nodes[index]
        switch node.kind {
        case .scalar: put(Int(node.first), Int(node.last), to: &out)
        case .array: write(elementsFrom: node.first, to: &out)
        case .object: write(membersFrom: sorted(node.first), to: &out)
        case .empty, .dropped: write(membersFrom: Self.none, to: &out)
        }
    }

    private func write(elementsFrom first: UInt32, to out: inout UnsafeMutablePointer<UInt8>) {
        put(UInt8(ascii: "["), to: &out)
        var isFirst = true
        var next = first
        while next != Self.none {
            let node = nodes[Int(next)]
            if node.kind != .dropped {
                if !isFirst { put(UInt8(ascii: ","), to: &out) }
                isFirst = false
                write(Int(next), to: &out)
            }
            next = node.sibling
        }
        put(UInt8(ascii: "]"), to: &out)
    }

    private func write(membersFrom first: UInt32, to out: inout UnsafeMutablePointer<UInt8>) {
        put(UInt8(ascii: "{"), to: &out)
        var isFirst = true
        var next = first
        while next != Self.none {
            let current = Int(next)
            next = nodes[current].sibling
            // The sort is stable: of equal names the last wins.
            if next != Self.none, order(current, Int(next)) == 0 {
                if merge(current, into: Int(next)) { continue }
                nodes[Int(next)] = nodes[current].withSibling(nodes[Int(next)].sibling)
                continue
            }
            guard nodes[current].kind != .dropped else { continue }
            if !isFirst { put(UInt8(ascii: ","), to: &out) }
            isFirst = false
            put(Int(nodes[current].nameStart), Int(nodes[current].nameLength), to: &out)
            put(UInt8(ascii: ":"), to: &out)
            write(current, to: &out)
        }
        put(UInt8(ascii: "}"), to: &out)
    }

    /// Merges two members with one name; returns false if the earlier one remains.
    ///
    /// A nested container that is requested twice is one container, as in Swift's encoders.
    private func merge(_ earlier: Int, into later: Int) -> Bool {
        if nodes[later].kind == .dropped { return false }
        let isOne = nodes[later].isNested && nodes[later].kind == nodes[earlier].kind
        guard isOne, nodes[earlier].first != Self.none else { return true }
        if nodes[later].first == Self.none { nodes[later].last = nodes[earlier].last }
        nodes[Int(nodes[earlier].last)].sibling = nodes[later].first
        nodes[later].first = nodes[earlier].first
        return true
    }

    @inline(__always)
    private func put(_ byte: UInt8, to out: inout UnsafeMutablePointer<UInt8>) {
        out.pointee = byte
        out += 1
    }

    @inline(__always)
    private func put(_ start: Int, _ length: Int, to out: inout UnsafeMutablePointer<UInt8>) {
        out.update(from: text + start, count: length)
        out += length
    }

    /// Returns the members from `first` on, sorted by name: a merge sort of the list in place.
    private func sorted(_ first: UInt32) -> UInt32 {
        var node = first
        var isSorted = true
        while isSorted, node != Self.none, nodes[Int(node)].sibling != Self.none {
            isSorted = order(Int(node), Int(nodes[Int(node)].sibling)) <= 0
            node = nodes[Int(node)].sibling
        }
        if isSorted { return first }
        var middle = first
        var fast = nodes[Int(first)].sibling
        while fast != Self.none, nodes[Int(fast)].sibling != Self.none {
            middle = nodes[Int(middle)].sibling
            fast = nodes[Int(nodes[Int(fast)].sibling)].sibling
        }
        let second = nodes[Int(middle)].sibling
        nodes[Int(middle)].sibling = Self.none
        return merged(sorted(first), sorted(second))
    }

    /// Merges two sorted lists; of equal names, those of the first list come first.
    private func merged(_ first: UInt32, _ second: UInt32) -> UInt32 {
        var (first, second) = (first, second)
        var head = Self.none
        var tail = Self.none
        while first != Self.none || second != Self.none {
            let takesFirst =
                second == Self.none
                || (first != Self.none && order(Int(first), Int(second)) <= 0)
            let node = takesFirst ? first : second
            if takesFirst {
                first = nodes[Int(node)].sibling
            } else {
                second = nodes[Int(node)].sibling
            }
            if tail == Self.none { head = node } else { nodes[Int(tail)].sibling = node }
            tail = node
        }
        return head
    }

    /// Returns the order of two names' bytes: below, at or above zero.
    @inline(__always)
    private func order(_ left: Int, _ right: Int) -> Int {
        let (one, other) = (nodes[left], nodes[right])
        if one.nameIsEscaped || other.nameIsEscaped { return unescapedOrder(one, other) }
        let (first, second) = (escapedName(one), escapedName(other))
        var at = 0
        while at < first.count, at < second.count {
            if first[at] != second[at] { return Int(first[at]) - Int(second[at]) }
            at += 1
        }
        return first.count - second.count
    }

    private func unescapedOrder(_ left: Node, _ right: Node) -> Int {
        var one = UnescapedBytes(escapedName(left), isEscaped: left.nameIsEscaped)
        var other = UnescapedBytes(escapedName(right), isEscaped: right.nameIsEscaped)
        while true {
            switch (one.next(), other.next()) {
            case (nil, nil): return 0
            case (nil, _): return -1
            case (_, nil): return 1
            case (let first?, let second?):
                if first != second { return Int(first) - Int(second) }
            }
        }
    }
}

extension Arena.Node {
    /// Returns the node with another sibling.
    fileprivate func withSibling(_ sibling: UInt32) -> Arena.Node {
        var node = self
        node.sibling = sibling
        return node
    }
}
