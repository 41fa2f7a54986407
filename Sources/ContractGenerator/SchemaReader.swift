import JSONCodec

/// Reads one schema: its type, and the declarations that the type needs.
struct SchemaReader {
    let book: TypeBook
    let pointer: String
    let name: TypeName
    let scope: TypeScope
    let direction: Direction
    let depth: Int
    /// The reference whose schema this is; nil for a schema in its place.
    let reference: TypeBook.Reference?

    /// The maximum number of an enumeration's cases and of an object's members.
    static let maximumMembers = 2_000

    func type(of schema: JSON.Object) throws(UnusableDescription) -> SwiftType {
        // A description or null around one reference: its type keeps its name.
        if let parts = schema["allOf"]?.array, parts.count == 1,
            !schema.contains(where: {
                $0.0 != "allOf" && Merging.isConstraint($0.0) && $0.0 != "type"
            })
        {
            var type = try inner(parts[0], "/allOf/0", name, declares: true)
            if schema["nullable"] == true { type.isNullable = true }
            return type
        }
        guard var schema = Merging(description: book.description).merged(schema) else {
            book.note(
                pointer,
                "JSON without a type, because a part of allOf is in another document, is recursive, "
                    + "or there are too many"
            )
            return .json
        }
        if let mapped = mappedVariants(of: schema) { schema["oneOf"] = mapped }
        let isNullable = takeNull(from: &schema)
        var type = try valueType(of: schema)
        if isNullable { type.isNullable = true }
        return type
    }

    /// Removes null from a schema, and returns whether it was allowed.
    private func takeNull(from schema: inout JSON.Object) -> Bool {
        var isNullable = schema["nullable"] == true
        if var types = schema["type"]?.array {
            if types.contains("null") { isNullable = true }
            types.removeAll { $0 == "null" }
            schema["type"] = types.count == 1 ? types[0] : .array(types)
        }
        if let values = schema["enum"]?.array, values.contains(.null) {
            isNullable = true
            schema["enum"] = .array(values.filter { $0 != .null })
        }
        for word in ["oneOf", "anyOf"] {
            guard let variants = schema[word]?.array else { continue }
            let rest = variants.filter { $0["type"] != "null" && $0["enum"] != .array([.null]) }
            guard rest.count < variants.count else { continue }
            isNullable = true
            schema[word] = .array(rest)
        }
        return isNullable
    }

    private func valueType(of schema: JSON.Object) throws(UnusableDescription) -> SwiftType {
        if let value = schema["const"] { return constant(value) }
        if let values = schema["enum"]?.array { return enumeration(values, schema) }
        let variants = (schema["oneOf"] ?? schema["anyOf"])?.array ?? []
        // Variants such as {"required": ["a"]} only limit the values.
        if variants.contains(where: Self.hasType) {
            return try UnionReader(self, schema, variants).type()
        }
        if let types = schema["type"]?.array, types.count > 1 {
            let each = types.map { type in
                var one = schema
                one["type"] = type
                return JSON.object(one)
            }
            var rest = JSON.Object()
            rest["description"] = schema["description"]
            return try UnionReader(self, rest, each).type()
        }
        switch Self.kind(of: schema) {
        case .string: return text(schema)
        case .integer: return SwiftType(text: Self.integer(schema["format"]?.string), form: .scalar)
        case .number:
            return SwiftType(text: schema["format"] == "float" ? "Float" : "Double", form: .scalar)
        case .boolean: return SwiftType(text: "Bool", form: .scalar)
        case .array: return try list(schema)
        case .object: return try StructureReader(self).type(of: schema)
        case .any: return .json
        }
    }

    private static func hasType(_ variant: JSON) -> Bool {
        variant.object?.contains { Merging.isConstraint($0.0) && $0.0 != "required" } ?? false
    }

    /// The kind of a schema's values.
    static func kind(of schema: JSON.Object) -> ValueKind {
        if let type = schema["type"]?.string { return ValueKind(rawValue: type) ?? .any }
        if schema["properties"] != nil || schema["additionalProperties"]?.object != nil {
            return .object
        }
        if schema["items"] != nil { return .array }
        return .any
    }

    private func text(_ schema: JSON.Object) -> SwiftType {
        if schema["contentEncoding"] == "base64" { return SwiftType(text: "Data", form: .scalar) }
        switch schema["format"]?.string {
        case "date-time": return SwiftType(text: "Date", form: .scalar)
        case "uuid": return SwiftType(text: "UUID", form: .scalar)
        case "byte": return SwiftType(text: "Data", form: .scalar)
        default: return .string
        }
    }

    private static func integer(_ format: String?) -> String {
        switch format {
        case "int32": "Int32"
        case "uint32": "UInt32"
        case "uint64": "UInt64"
        default: "Int"
        }
    }

    private func list(_ schema: JSON.Object) throws(UnusableDescription) -> SwiftType {
        guard let items = schema["items"], items.object != nil else {
            return SwiftType(text: "[JSON]", form: .other)
        }
        let element = try inner(items, "/items", name.part("Item"))
        return SwiftType(
            text: "[\(element.written)]",
            form: element.form == .scalar && !element.isNullable ? .list : .other
        )
    }

    /// A value that is the only one: a text, an integer or a Boolean.
    private func constant(_ value: JSON) -> SwiftType {
        switch value {
        case .string(let text):
            SwiftType(text: "String", form: .scalar, constant: SwiftText.literal(text))
        case .bool(let value):
            SwiftType(text: "Bool", form: .scalar, constant: value ? "true" : "false")
        case .number(let number):
            number.int.map { SwiftType(text: "Int", form: .scalar, constant: "\($0)") }
                ?? SwiftType(text: "Double", form: .scalar)
        case .null, .array, .object: .json
        }
    }

    private func enumeration(_ values: [JSON], _ schema: JSON.Object) -> SwiftType {
        if values.count == 1 { return constant(values[0]) }
        let texts = values.compactMap(\.string)
        let integers = values.compactMap(\.int)
        let isText = texts.count == values.count
        guard !values.isEmpty, isText || integers.count == values.count else {
            let kinds = Set(
                values.map { value -> String in
                    switch value {
                    case .bool: "Bool"
                    case .number: "Double"
                    default: "JSON"
                    }
                }
            )
            guard let kind = kinds.first, kinds.count == 1, kind != "JSON" else { return .json }
            return SwiftType(text: kind, form: .scalar)
        }
        guard values.count <= Self.maximumMembers else {
            return SwiftType(text: isText ? "String" : "Int", form: .scalar)
        }
        return declared(
            isText ? texts : integers.map { "\($0)" },
            isInteger: !isText,
            schema["description"]?.string ?? ""
        )
    }

    /// Declares the type of listed values.
    func declared(_ values: [String], isInteger: Bool, _ comment: String) -> SwiftType {
        var used: Set<String> = ["unrecognized", "init", "encode"]
        var seen: Set<String> = []
        let cases = values.filter { seen.insert($0).inserted }.map { value in
            (
                name: SwiftName.unique(SwiftName.member(value), &used),
                literal: isInteger ? value : SwiftText.literal(value)
            )
        }
        let own = book.name(name, in: scope)
        let type = SwiftType(text: own, form: .scalar)
        book.announce(type, for: reference)
        scope.declarations.append(
            .enumeration(
                Enumeration(name: own, comment: comment, isInteger: isInteger, cases: cases)
            )
        )
        return type
    }

    /// Reads a schema within this one.
    func inner(
        _ schema: JSON,
        _ path: String,
        _ name: TypeName,
        declares: Bool = false
    ) throws(UnusableDescription) -> SwiftType {
        try book.type(
            of: schema,
            at: pointer + path,
            as: name,
            in: scope,
            direction,
            depth: depth + 1,
            declares: declares ? reference : nil
        )
    }

    /// The variants of a base schema whose discriminator lists them; nil for other schemas.
    private func mappedVariants(of schema: JSON.Object) -> JSON? {
        guard let reference, schema["oneOf"] == nil, schema["anyOf"] == nil,
            let mapping = schema["discriminator"]?["mapping"]?.object
        else { return nil }
        var seen: Set<String> = [reference.text]
        let variants = mapping.compactMap { _, target -> JSON? in
            guard let text = target.string.map(UnionReader.reference), seen.insert(text).inserted
            else { return nil }
            return ["$ref": .string(text)]
        }
        return variants.isEmpty ? nil : .array(variants)
    }
}
