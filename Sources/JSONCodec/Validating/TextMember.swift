/// A member that arrives as text, such as a path segment or a query item.
///
/// It can be decoded as any scalar, and several with one name as an array.
package struct TextMember: Hashable, Sendable {
    /// The source of a text.
    package enum Origin: Hashable, Sendable {
        /// The request target's path.
        case path
        /// The request target's query, or a form in the body.
        case query
        /// A header field.
        case field
        /// An empty list, in place of a text.
        case emptyList
        /// An empty object, in place of texts with nested names.
        case emptyObject
        /// An absent header field, which no other source may replace.
        case absentField
    }

    /// The member's name.
    package let name: String
    /// The member's value.
    package let text: String
    /// The source; of texts with one name, a path's or field's text wins over the query's.
    package let origin: Origin

    /// Creates a member.
    package init(name: String, text: String, origin: Origin) {
        self.name = name
        self.text = text
        self.origin = origin
    }
}

extension JSON {
    /// Decodes a value from a body and texts together.
    ///
    /// In the outermost object a text wins over the body's member with its name. An absent body is
    /// an empty object.
    package static func decode<T: Decodable>(
        _ type: T.Type,
        from body: UnsafeRawBufferPointer?,
        text: [TextMember],
        in room: ReusableTape = ReusableTape()
    ) throws -> T {
        let bytes = body ?? UnsafeRawBufferPointer(start: nil, count: 0)
        var tape = room.take(for: bytes)
        defer { room.give(&tape) }
        if bytes.isEmpty {
            tape.standForAbsent()
        } else {
            var parser = TapeParser(tape, depth: defaultDepth)
            try parser.document()
        }
        tape.merge(text)
        return try tape.root(type)
    }
}

extension Tape {
    /// Sets up the tape of an absent document: an empty object.
    func standForAbsent() {
        isAbsent = true
        _ = append(Node(.object, start: 0, next: 1))
    }

    /// Appends texts to the root's members in the order of their names, if it is an object.
    ///
    /// Replaced members are hidden.
    func merge(_ members: [TextMember]) {
        guard nodes[0].kind == .object, !members.isEmpty else { return }
        reserveText(members.reduce(0) { $0 + $1.name.utf8.count + $1.text.utf8.count })
        var filled = 0
        if members.count == 1 {
            // Usually one path segment, which needs no sorting and no allocation.
            append(members[0].name, of: members[...], &filled)
        } else {
            appendGroups(of: members, &filled)
        }
        nodes[0].next = UInt32(truncatingIfNeeded: count)
        if nodes[0].length > NameTables.linearCount {
            _ = names.add(0, of: self)
        } else {
            nodes[0].table = 0
        }
    }

    /// Appends the texts of each name together.
    private func appendGroups(of members: [TextMember], _ filled: inout Int) {
        // Sorted, so that equal names are adjacent: a query may be long.
        let order = members.indices.sorted { left, right in
            let (one, other) = (members[left].name.utf8, members[right].name.utf8)
            if one.lexicographicallyPrecedes(other) { return true }
            return left < right && one.elementsEqual(other)
        }
        var start = 0
        while start < order.count {
            let name = ExactName(text: members[order[start]].name)
            var end = start + 1
            while end < order.count, ExactName(text: members[order[end]].name) == name { end += 1 }
            var group = order[start..<end].map { members[$0] }
            if group.contains(where: { $0.origin != .query }) {
                // The removed texts count as unknown members.
                memberCount += group.count(where: { $0.origin == .query })
                group.removeAll { $0.origin == .query }
            }
            append(name.text, of: group[...], &filled)
            start = end
        }
    }

    /// Appends the texts of one name, in place of the body's member with that name.
    private func append(_ name: String, of group: ArraySlice<TextMember>, _ filled: inout Int) {
        let isAbsent = group.first?.origin == .absentField
        if let value = find(name, in: 0) {
            nodes[value - 1].isHidden = true
            if isAbsent { nodes[0].length -= 1 }
        } else if !isAbsent {
            nodes[0].length += 1
        }
        guard !isAbsent else { return }
        memberCount += 1
        appendText(.string, name, &filled)
        if group.first?.origin == .emptyObject {
            _ = append(Node(.object, start: 0, next: count + 1))
            return
        }
        let isEmpty = group.first?.origin == .emptyList
        let isText = group.count == 1 && !isEmpty
        let list = isText ? nil : append(Node(.texts, start: 0, length: isEmpty ? 0 : group.count))
        for member in group where !isEmpty { appendText(.text, member.text, &filled) }
        if let list { nodes[list].next = UInt32(truncatingIfNeeded: count) }
    }

    private func appendText(_ kind: Node.Kind, _ string: String, _ filled: inout Int) {
        let end = filled + string.utf8.count
        var string = string
        string.withUTF8 { bytes in
            UnsafeMutableRawBufferPointer(rebasing: text[filled..<end])
                .copyMemory(from: UnsafeRawBufferPointer(bytes))
        }
        var node = Node(kind, start: filled, length: end - filled, next: count + 1)
        node.isText = true
        _ = append(node)
        filled = end
    }
}
