/// A document built from a body, texts with nested names, and defaults for missing members.
struct Assembly {
    private let content: DecodingContract.Content
    private(set) var document: JSON

    /// The maximum depth of names such as `a[b][c]`.
    private static let maximumDepth = 8

    /// - Throws: ``JSONError`` if the body isn't JSON.
    init(_ content: DecodingContract.Content, _ body: UnsafeRawBufferPointer?) throws(JSONError) {
        self.content = content
        guard let body, !body.isEmpty else {
            document = .object(JSON.Object())
            return
        }
        document = try JSON(parsing: body)
    }

    /// Inserts texts with nested names, fills in defaults, and returns the other texts.
    mutating func take(_ text: [TextMember]) -> [TextMember] {
        var rest: [TextMember] = []
        for member in text {
            if member.origin == .emptyObject {
                putObject(member.name)
                continue
            }
            guard let path = member.nestedPath, path.count <= Self.maximumDepth,
                put(member.text, path[...], content.shape, into: &document)
            else {
                rest.append(member)
                continue
            }
        }
        fill(&document, content.shape, except: Set(rest.map(\.name)), depth: 0)
        return rest
    }

    /// Inserts an empty object, unless the member exists.
    private mutating func putObject(_ name: String) {
        guard var members = document.object, members[name] == nil else { return }
        members[name] = .object(JSON.Object())
        document = .object(members)
    }

    /// Inserts a text at a path; returns false if the shape has no such member.
    private func put(
        _ text: String,
        _ path: ArraySlice<String>,
        _ shape: Shape,
        into value: inout JSON
    ) -> Bool {
        let shape = content.shapes.resolved(shape)
        guard let name = path.first else {
            // A form's empty text is an absent member.
            if text.isEmpty, value == .null, !content.shapes.acceptsEmptyText(shape) { return true }
            if case .array(let element) = shape.form {
                value = .array((value.array ?? []) + [scalar(text, element)])
            } else if value == .null {
                value = scalar(text, shape)
            } else {
                // A second value turns a scalar into a list, which decoding rejects.
                value = .array((value.array ?? [value]) + [scalar(text, shape)])
            }
            return true
        }
        let inner: Shape
        switch shape.form {
        case .object(let members, _):
            guard let member = members.first(where: { $0.name.hasSameBytes(as: name) }) else {
                return false
            }
            inner = member.shape
        case .map(let element): inner = element
        case .array where name.isEmpty: return put(text, path.dropFirst(), shape, into: &value)
        default: return false
        }
        guard value == .null || value.object != nil else { return false }
        var members = value.object ?? JSON.Object()
        var part = members[name] ?? .null
        let isNew = members[name] == nil
        guard put(text, path.dropFirst(), inner, into: &part) else { return false }
        members[name] = isNew && part == .null ? nil : part
        value = .object(members)
        return true
    }

    /// Converts a text to the scalar type of a shape.
    private func scalar(_ text: String, _ shape: Shape) -> JSON {
        guard case .scalar(let scalar) = content.shapes.resolved(shape).form else {
            return .string(text)
        }
        switch scalar.keywords["type"]?.string {
        case "integer", "number": return JSON.Number(text).map(JSON.number) ?? .string(text)
        case "boolean": return text == "true" ? true : text == "false" ? false : .string(text)
        default: return .string(text)
        }
    }

    private func fill(_ value: inout JSON, _ shape: Shape, except given: Set<String>, depth: Int) {
        guard depth <= JSON.defaultDepth else { return }
        switch content.shapes.resolved(shape).form {
        case .object(let members, _):
            guard case .object(var object) = value else { return }
            for member in members {
                if var part = object[member.name] {
                    fill(&part, member.shape, except: [], depth: depth + 1)
                    object[member.name] = part
                } else if !given.contains(member.name) {
                    object[member.name] = member.shape.rules.standIn
                }
            }
            value = .object(object)
        case .array(let element):
            guard let elements = value.array else { return }
            value = .array(
                elements.map { part in
                    var part = part
                    fill(&part, element, except: [], depth: depth + 1)
                    return part
                }
            )
        case .map(let element):
            guard case .object(var object) = value else { return }
            for (name, part) in object {
                var part = part
                fill(&part, element, except: [], depth: depth + 1)
                object[name] = part
            }
            value = .object(object)
        case .any, .described, .scalar, .component: break
        }
    }
}

extension TextMember {
    /// Whether its name is nested: `address[city]`.
    var isNested: Bool {
        name.utf8.last == UInt8(ascii: "]") && name.utf8.contains(UInt8(ascii: "["))
    }

    /// The names along its nested name; nil if that is invalid.
    fileprivate var nestedPath: [String]? {
        guard isNested, origin == .query, let open = name.firstIndex(of: "["),
            open > name.startIndex
        else { return nil }
        var path = [String(name[..<open])]
        var rest = name[open...]
        while !rest.isEmpty {
            guard rest.first == "[", let close = rest.firstIndex(of: "]") else { return nil }
            path.append(String(rest[rest.index(after: rest.startIndex)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return path
    }
}
