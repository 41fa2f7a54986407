import JSONCodec

/// Reads the schema of an object.
struct StructureReader {
    private let reader: SchemaReader
    private var book: TypeBook { reader.book }

    init(_ reader: SchemaReader) { self.reader = reader }

    func type(of schema: JSON.Object) throws(UnusableDescription) -> SwiftType {
        let properties = schema["properties"]?.object ?? [:]
        let additional = schema["additionalProperties"]
        guard !properties.isEmpty else {
            if let additional, additional.object?.isEmpty == false {
                let value = try reader.inner(
                    additional,
                    "/additionalProperties",
                    reader.name.part("Value")
                )
                return SwiftType(
                    text: "[String: \(value.written)]",
                    form: value.form == .scalar && !value.isNullable ? .members : .other
                )
            }
            // A closed object without members; any other one may have any members.
            guard additional == false else { return .json }
            return try declare(schema, [:], nil)
        }
        guard properties.count <= SchemaReader.maximumMembers else {
            book.note(reader.pointer, "JSON without a type, because it has too many members")
            return .json
        }
        return try declare(schema, properties, additional)
    }

    private func declare(
        _ schema: JSON.Object,
        _ properties: JSON.Object,
        _ additional: JSON?
    ) throws(UnusableDescription) -> SwiftType {
        if let item = page(properties) {
            let items = try reader.inner(item, "/properties/items/items", reader.name.part("Item"))
            return SwiftType(text: "Page<\(items.written)>", form: .other)
        }
        let own = book.name(reader.name, in: reader.scope)
        var type = SwiftType(text: own, form: .other)
        book.announce(type, for: reader.reference)
        let place = reader.scope.declarations.count
        reader.scope.declarations.append(
            .structure(Structure(name: own, comment: "", members: []))
        )
        let members = try members(of: schema, TypeName(text: own))
        var others: SwiftType?
        if let additional, additional.object != nil || additional == true {
            others = try reader.inner(
                additional,
                "/additionalProperties",
                TypeName(text: own).part("Value")
            )
        }
        let isFlat =
            others == nil
            && members.allSatisfy { $0.type.form == .scalar || $0.type.form == .list }
        if isFlat { type.form = .members }
        reader.scope.declarations[place] = .structure(
            Structure(
                name: own,
                comment: schema["description"]?.string ?? schema["title"]?.string ?? "",
                members: members,
                additional: others
            )
        )
        return type
    }

    /// Returns the members of an object's schema.
    func members(
        of schema: JSON.Object,
        _ name: TypeName,
        isPatch: Bool = false,
        parts: (TypeName, String) -> TypeName = { $0.part($1) }
    ) throws(UnusableDescription) -> [Member] {
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        var used: Set<String> = ["additional"]
        var members: [Member] = []
        for (key, schema) in schema["properties"]?.object ?? [:] {
            let hidden = reader.direction == .input ? "readOnly" : "writeOnly"
            guard schema[hidden] != true else { continue }
            let type = try reader.inner(
                schema,
                "/properties/\(Description.token(key))",
                parts(name, key)
            )
            var member = Member(
                name: SwiftName.unique(SwiftName.member(key), &used),
                key: key,
                type: type,
                isRequired: required.contains(key)
            )
            member.isChange = isPatch && type.isNullable && !member.isRequired
            member.comment = Self.comment(schema)
            members.append(member)
        }
        return members
    }

    /// The documentation of a member or a parameter.
    static func comment(_ schema: JSON) -> String {
        var comment = schema["description"]?.string ?? ""
        func add(_ text: String) { comment += comment.isEmpty ? text : "\n\n" + text }
        if let value = schema["default"], value != .null { add("Default: `\(value)`.") }
        switch schema["format"]?.string {
        case "date": add("A date: `2026-01-31`.")
        case "uri", "email", "hostname", "ipv4", "ipv6", "duration", "time":
            add("Format: \(schema["format"]?.string ?? "").")
        default: break
        }
        if schema["deprecated"] == true { add("Deprecated.") }
        return comment
    }

    /// The schema of a page's items; nil if the object isn't a page of this package's servers.
    private func page(_ properties: JSON.Object) -> JSON? {
        guard Set(properties.names) == ["items", "next", "total"],
            properties["next"]?["type"] == ["string", "null"],
            properties["items"]?["type"] == "array"
        else { return nil }
        return properties["items"]?["items"]
    }
}
