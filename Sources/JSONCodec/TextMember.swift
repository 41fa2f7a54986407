/// A member that arrives as text: a segment of a path or an item of a query.
///
/// It decodes to whatever scalar the type asks for, and several of one name to an array.
package struct TextMember: Hashable, Sendable {
    /// Where a text comes from.
    package enum Origin: Hashable, Sendable {
        /// The target's path.
        case path
        /// The target's query.
        case query
    }

    /// The member's name.
    package let name: String
    /// The member's value.
    package let text: String
    /// Where it comes from: of one name, the path's text stands and the query's is dropped.
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
    /// In the outermost keyed container a text wins over the body's member of its name. An
    /// absent body stands for an empty object.
    package static func decode<T: Decodable>(
        _ type: T.Type,
        from body: UnsafeRawBufferPointer?,
        text: [TextMember]
    ) throws -> T {
        var tape: Tape
        if let body, !body.isEmpty {
            tape = try Tape(parsing: body, depth: defaultDepth)
        } else {
            tape = Tape(absent: ())
        }
        defer { Tape.end(&tape) }
        tape.merge(text)
        return try tape.root(type)
    }
}

extension Tape {
    /// Makes the tape of a document that isn't there: an empty object.
    convenience init(absent: ()) {
        self.init(UnsafeRawBufferPointer(start: nil, count: 0))
        isAbsent = true
        _ = append(Node(.object, start: 0, next: 1))
    }

    /// Appends texts to the members of the root, where it is an object, in the order of their
    /// names; those that they replace are hidden.
    func merge(_ members: [TextMember]) {
        guard nodes[0].kind == .object, !members.isEmpty else { return }
        reserveText(members.reduce(0) { $0 + $1.name.utf8.count + $1.text.utf8.count })
        // Sorted, so that equal names stand together: a query may be long.
        let order = members.indices.sorted { left, right in
            let (one, other) = (members[left].name.utf8, members[right].name.utf8)
            if one.lexicographicallyPrecedes(other) { return true }
            return left < right && one.elementsEqual(other)
        }
        var filled = 0
        var start = 0
        var appended: UInt32 = 0
        var hidden: UInt32 = 0
        while start < order.count {
            let name = ExactName(text: members[order[start]].name)
            var end = start + 1
            while end < order.count, ExactName(text: members[order[end]].name) == name { end += 1 }
            var group = order[start..<end].map { members[$0] }
            if group.contains(where: { $0.origin == .path }) {
                group.removeAll { $0.origin == .query }
            }
            if let value = find(name.text, in: 0) {
                nodes[value - 1].isHidden = true
                hidden += 1
            }
            append(name.text, of: group, &filled)
            appended += 1
            start = end
        }
        nodes[0].next = UInt32(truncatingIfNeeded: count)
        nodes[0].length += appended
        nodes[0].length -= hidden
        if nodes[0].length > NameTables.linearCount {
            _ = names.add(0, of: self)
        } else {
            nodes[0].table = 0
        }
    }

    private func append(_ name: String, of group: [TextMember], _ filled: inout Int) {
        appendText(.string, name, &filled)
        let isSingle = group.count == 1
        let list = isSingle ? nil : append(Node(.texts, start: 0, length: group.count))
        for member in group { appendText(.text, member.text, &filled) }
        if let list { nodes[list].next = UInt32(truncatingIfNeeded: count) }
    }

    private func appendText(_ kind: Node.Kind, _ string: String, _ filled: inout Int) {
        let end = filled + string.utf8.count
        _ = UnsafeMutableRawBufferPointer(rebasing: text[filled..<end])
            .initializeMemory(as: UInt8.self, from: string.utf8)
        var node = Node(kind, start: filled, length: end - filled, next: count + 1)
        node.isText = true
        _ = append(node)
        filled = end
    }
}
