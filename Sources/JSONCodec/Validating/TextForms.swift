/// The meaning of texts without a value, since a query and a form have no null and no empty list.
///
/// | text | meaning |
/// |---|---|
/// | `limit=` for a type that can't be empty | absent, as HTML forms send it |
/// | `tags[]=` alone | the empty list |
/// | `tags[]=sea` | an element of `tags` |
/// | no `tags` for a required list | the empty list |
struct TextForms: Sendable {
    private struct Form {
        var isList = false
        /// Whether the empty text is a value of the type, or of a list's elements.
        var acceptsEmpty = true
    }

    private var forms: [ExactName: Form] = [:]
    private var requiredLists: [String] = []

    /// Creates the forms of an object's members.
    init(_ shape: Shape, _ shapes: Shapes) {
        for member in shapes.members(of: shape) ?? [] {
            var form = Form()
            switch shapes.resolved(member.shape).form {
            case .array(let element):
                form = Form(isList: true, acceptsEmpty: shapes.acceptsEmptyText(element))
                if member.isRequired, !member.shape.isSupplied { requiredLists.append(member.name) }
            case .scalar: form.acceptsEmpty = shapes.acceptsEmptyText(member.shape)
            case .any, .described, .map, .object, .component: break
            }
            forms[ExactName(text: member.name)] = form
        }
    }

    /// Returns the texts without absent ones and with empty lists.
    ///
    /// If the input has no body (`isWhole`), an absent list is empty.
    func resolve(_ texts: [TextMember], isWhole: Bool) -> [TextMember] {
        let isPlain = !texts.contains { text in
            text.origin == .query && (text.text.isEmpty || text.name.utf8.last == 0x5D)
        }
        if isPlain, !isWhole || requiredLists.isEmpty { return texts }
        var resolved = isPlain ? texts : resolveEmpty(texts)
        guard isWhole else { return resolved }
        for name in requiredLists
        where !resolved.contains(where: { $0.name.hasSameBytes(as: name) }) {
            resolved.append(TextMember(name: name, text: "", origin: .emptyList))
        }
        return resolved
    }

    private func resolveEmpty(_ texts: [TextMember]) -> [TextMember] {
        let named = texts.map { text in
            listName(text).map { TextMember(name: $0, text: text.text, origin: .query) } ?? text
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
                return TextMember(name: text.name, text: "", origin: .emptyList)
            }
            return form.acceptsEmpty ? text : nil
        }
    }

    /// Returns the list that a name with brackets belongs to: `tags` for `tags[]`.
    private func listName(_ text: TextMember) -> String? {
        guard text.origin == .query, text.name.utf8.suffix(2).elementsEqual("[]".utf8) else {
            return nil
        }
        let name = String(decoding: text.name.utf8.dropLast(2), as: UTF8.self)
        return forms[ExactName(text: name)]?.isList == true ? name : nil
    }
}

extension Shapes {
    /// Whether the empty text is a value of a shape.
    func acceptsEmptyText(_ shape: Shape) -> Bool {
        guard case .scalar(let scalar) = resolved(shape).form else { return true }
        let tape = Tape(UnsafeRawBufferPointer(start: nil, count: 0))
        _ = tape.append(Node(.text, start: 0, next: 1))
        return scalar.failure(tape, 0) == nil
    }
}
