/// The meaning of texts without a value, since a query and a form have no null and no empty list or
/// object.
///
/// | text | meaning |
/// |---|---|
/// | `limit=` for a type that can't be empty | absent, as HTML forms send it |
/// | `tags[]=` alone | the empty list or object |
/// | `tags[]=sea` | an element of `tags` |
/// | no `tags` for a required list | the empty list |
/// | no `near[…]` for a required object that may be empty | the empty object |
struct TextForms: Sendable {
    private struct Form {
        /// The value without elements or members; nil for other types.
        var empty: TextMember.Origin?
        /// Whether the empty text is a value of the type, or of a list's elements.
        var acceptsEmpty = true
    }

    private var forms: [ExactName: Form] = [:]
    /// The required members that are empty if they are absent.
    private var required: [(name: String, empty: TextMember.Origin)] = []

    /// Creates the forms of an object's members.
    init(_ shape: Shape, _ shapes: Shapes) {
        for member in shapes.members(of: shape) ?? [] {
            var form = Form()
            switch shapes.resolved(member.shape).form {
            case .array(let element):
                form = Form(empty: .emptyList, acceptsEmpty: shapes.acceptsEmptyText(element))
            case .map: form.empty = .emptyObject
            case .object(let members, _) where !members.contains(where: \.isRequired):
                form.empty = .emptyObject
            case .scalar: form.acceptsEmpty = shapes.acceptsEmptyText(member.shape)
            case .any, .described, .object, .component: break
            }
            if let empty = form.empty, member.isRequired, !member.shape.isSupplied {
                required.append((member.name, empty))
            }
            forms[ExactName(text: member.name)] = form
        }
    }

    /// Returns the texts without absent ones and with empty lists and objects.
    ///
    /// If the input has no body (`isWhole`), an absent list or object is empty.
    func resolve(_ texts: [TextMember], isWhole: Bool) -> [TextMember] {
        let isPlain = !texts.contains { text in
            text.origin == .query && (text.text.isEmpty || text.name.utf8.last == 0x5D)
        }
        if isPlain, !isWhole || required.isEmpty { return texts }
        var resolved = isPlain ? texts : resolveEmpty(texts)
        guard isWhole else { return resolved }
        for (name, empty) in required where !resolved.contains(where: { $0.isIn(name) }) {
            resolved.append(TextMember(name: name, text: "", origin: empty))
        }
        return resolved
    }

    private func resolveEmpty(_ texts: [TextMember]) -> [TextMember] {
        let named = texts.map { text in
            outerName(text).map { TextMember(name: $0, text: text.text, origin: .query) } ?? text
        }
        var counts: [ExactName: Int] = [:]
        for text in named where text.origin == .query {
            counts[ExactName(text: text.name), default: 0] += 1
        }
        return zip(texts, named).compactMap { original, text in
            let name = ExactName(text: text.name)
            guard text.origin == .query, text.text.isEmpty, counts[name] == 1,
                let form = forms[name]
            else { return text }
            if !original.name.hasSameBytes(as: text.name) {
                return TextMember(name: text.name, text: "", origin: form.empty ?? .emptyList)
            }
            return form.acceptsEmpty ? text : nil
        }
    }

    /// Returns the list that a name with brackets belongs to: `tags` for `tags[]`.
    ///
    /// An object has no such member, only the empty text.
    private func outerName(_ text: TextMember) -> String? {
        guard text.origin == .query, text.name.utf8.suffix(2).elementsEqual("[]".utf8) else {
            return nil
        }
        let name = String(decoding: text.name.utf8.dropLast(2), as: UTF8.self)
        switch forms[ExactName(text: name)]?.empty {
        case .emptyList: return name
        case .emptyObject: return text.text.isEmpty ? name : nil
        default: return nil
        }
    }
}

extension TextMember {
    /// Whether this is a member or a part of it: `near` or `near[city]`.
    fileprivate func isIn(_ member: String) -> Bool {
        guard name.utf8.starts(with: member.utf8) else { return false }
        let rest = name.utf8.dropFirst(member.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "[")
    }
}

extension Shapes {
    /// Whether an empty text means an absent member, as HTML forms send it.
    package func readsEmptyTextAsAbsent(_ shape: Shape) -> Bool {
        switch resolved(shape).form {
        case .array(let element): !acceptsEmptyText(element)
        case .scalar: !acceptsEmptyText(shape)
        default: false
        }
    }

    /// Whether the empty text is a value of a shape.
    func acceptsEmptyText(_ shape: Shape) -> Bool {
        guard case .scalar(let scalar) = resolved(shape).form else { return true }
        let tape = Tape(UnsafeRawBufferPointer(start: nil, count: 0))
        _ = tape.append(Node(.text, start: 0, next: 1))
        return scalar.failure(tape, 0) == nil
    }
}
