/// The search for a document's members that its type doesn't know.
///
/// It runs only after decoding, if the type hasn't requested every member, or failed. A member is
/// unknown if the type hasn't requested it and its shape doesn't name it.
struct UnknownMembers {
    private let tape: Tape
    private let shapes: Shapes
    private let texts: [TextMember]
    private(set) var errors: [JSONTypeError] = []

    /// Finds the unknown members of a document with these texts.
    init(_ tape: Tape, _ shape: Shape, _ shapes: Shapes, _ texts: [TextMember]) {
        self.tape = tape
        self.shapes = shapes
        self.texts = texts
        if let members = shapes.members(of: shape) { findMisplaced(members) }
        search(0, shape, depth: 0)
    }

    private var isFull: Bool { errors.count > JSONTypeErrors.maximumCount }

    private mutating func search(_ index: Int, _ shape: Shape, depth: Int) {
        guard depth <= JSON.maximumDepth, !isFull else { return }
        let node = tape.nodes[index]
        switch (shapes.resolved(shape).form, node.kind) {
        case (.array(let element), .array):
            var next = index + 1
            while next < node.next {
                search(next, element, depth: depth + 1)
                next = Int(tape.nodes[next].next)
            }
        case (.map(let value), .object):
            tape.forEachName(in: index) { search($0 + 1, value, depth: depth + 1) }
        case (.object(let members, let isOpen), .object):
            tape.forEachName(in: index) { name in
                guard !isFull else { return }
                let text = tape.string(tape.nodes[name])
                if let member = members.first(where: { $0.name.hasSameBytes(as: text) }) {
                    search(name + 1, member.shape, depth: depth + 1)
                } else if !isOpen, !tape.nodes[name].isRequested {
                    fail(name, message(text, index == 0 ? members.filter(isHere) : members))
                }
            }
        // The code of other types decides.
        default: break
        }
    }

    /// Finds known members that have another source, which decoding prefers.
    private mutating func findMisplaced(_ members: [Shape.Member]) {
        // The body's members that texts replace.
        var name = 1
        while tape.nodes[0].kind == .object, name < tape.nodes[0].next, !isFull {
            if tape.nodes[name].isHidden {
                let text = tape.string(tape.nodes[name])
                if !isRepeated(text, valueOf: name) {
                    fail(name, misplacement(text, members, in: "the body"))
                }
            }
            name = Int(tape.nodes[name + 1].next)
        }
        var known: Set<ExactName> = []
        for text in texts where text.origin == .query && !isFull {
            guard hasOtherSource(text.name),
                known.insert(ExactName(text: text.name)).inserted
            else { continue }
            errors.append(
                JSONTypeError(
                    path: [PathKey.name(text.name)],
                    message: misplacement(text.name, members, in: "the query")
                )
            )
        }
    }

    /// Whether a value says nothing else: it is null, or the path's, as in a received resource.
    private func isRepeated(_ text: String, valueOf name: Int) -> Bool {
        let value = tape.nodes[name + 1]
        if value.kind == .null { return true }
        guard value.kind == .string || value.kind == .number else { return false }
        let path = texts.first { $0.origin == .path && $0.name.hasSameBytes(as: text) }
        return path?.text.hasSameBytes(as: tape.string(value)) == true
    }

    /// Whether a member can be in the query or the body.
    private func isHere(_ member: Shape.Member) -> Bool {
        !member.shape.isSupplied && !hasOtherSource(member.name)
    }

    /// Whether a member is in the path, in a field, or set by the server.
    private func hasOtherSource(_ name: String) -> Bool {
        texts.contains { text in
            switch text.origin {
            case .query, .emptyList, .emptyObject: false
            case .path, .field, .absentField: text.name.hasSameBytes(as: name)
            }
        }
    }

    private func misplacement(
        _ name: String,
        _ members: [Shape.Member],
        in place: String
    ) -> String {
        let isSupplied = members.contains { $0.shape.isSupplied && $0.name.hasSameBytes(as: name) }
        if isSupplied { return "set by the server, not in \(place)" }
        let sources = texts.filter { $0.name.hasSameBytes(as: name) }.map(\.origin)
        if sources.contains(.path) { return "in the path, which differs from \(place)" }
        let isField = sources.contains { $0 == .field || $0 == .absentField }
        return isField ? "has another source, not \(place)" : "given in the query, too"
    }

    private mutating func fail(_ name: Int, _ message: String) {
        guard !isFull else { return }
        errors.append(JSONTypeError(path: tape.path(to: name + 1), message: message))
    }

    private func message(_ name: String, _ members: [Shape.Member]) -> String {
        // `near[city]` is a member of `near`.
        let path = name.unicodeScalars.split { $0 == "[" || $0 == "]" }.map { String($0) }
        if path.count > 1, let outer = members.first(where: { $0.name.hasSameBytes(as: path[0]) }),
            let inner = shapes.members(of: outer.shape)
        {
            return message(path.dropFirst().joined(separator: "["), inner)
        }
        return unknownMember(name, known: members.filter { !$0.shape.isSupplied }.map(\.name))
    }
}

/// Returns the message of an unknown name, with the nearest of the known ones, or all.
package func unknownMember(_ name: String, known: [String]) -> String {
    if let nearest = nearestName(to: name, among: known) {
        return "unknown; did you mean \(nearest)?"
    }
    let all = known.isEmpty ? "nothing" : known.sorted().joined(separator: ", ")
    return "unknown; known here: \(all)"
}
