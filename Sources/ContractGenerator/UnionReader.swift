import JSONCodec

/// Reads a schema with variants: `oneOf`, `anyOf`, or several types.
struct UnionReader {
    private let reader: SchemaReader
    private let schema: JSON.Object
    private let variants: [JSON]
    private var book: TypeBook { reader.book }

    /// The maximum number of variants.
    private static let maximumVariants = 300

    init(_ reader: SchemaReader, _ schema: JSON.Object, _ variants: [JSON]) {
        self.reader = reader
        self.schema = schema
        self.variants = variants
    }

    func type() throws(UnusableDescription) -> SwiftType {
        var shared = schema
        for word in ["oneOf", "anyOf", "discriminator", "description", "title", "type", "nullable"]
        {
            shared[word] = nil
        }
        // Members beside the variants belong to each of them.
        let isShared = shared.contains { Merging.isConstraint($0.0) }
        let whole = isShared ? variants.map { combined($0, shared) } : variants
        if whole.count == 1 {
            return try reader.inner(whole[0], path(0), reader.name, declares: true)
        }
        guard whole.count <= Self.maximumVariants else {
            book.note(reader.pointer, "JSON without a type, because it has too many variants")
            return .json
        }
        if let texts = texts() { return texts }
        let own = book.name(reader.name, in: reader.scope)
        var type = SwiftType(text: own, form: .other)
        book.announce(type, for: reader.reference)
        let place = reader.scope.declarations.count
        let comment = schema["description"]?.string ?? schema["title"]?.string ?? ""
        // Reserves the place, so that the union is declared before its variants.
        reader.scope.declarations.append(
            .union(Union(name: own, comment: comment, discriminator: nil, variants: []))
        )
        let tags = tags()
        var hasNull = false
        let read = try read(whole, TypeName(text: own), tags ?? [:], &hasNull)
        type.isNullable = hasNull
        let property = tags == nil ? nil : schema["discriminator"]?["propertyName"]?.string
        let areTagged = property != nil && read.allSatisfy { !$0.tags.isEmpty }
        let sorted = areTagged ? read : Self.sorted(read)
        guard let sorted else {
            book.note(
                reader.pointer,
                "JSON without a type, because required members don't tell the variants apart"
            )
            // Other types may contain a referenced union by its name: it has only `unrecognized`.
            guard reader.reference == nil else { return type }
            reader.scope.declarations.remove(at: place)
            return .json
        }
        reader.scope.declarations[place] = .union(
            Union(
                name: own,
                comment: comment,
                discriminator: areTagged ? property : nil,
                variants: sorted
            )
        )
        return type
    }

    private func path(_ index: Int) -> String {
        "/\(schema["oneOf"] != nil ? "oneOf" : "anyOf")/\(index)"
    }

    private func combined(_ variant: JSON, _ shared: JSON.Object) -> JSON {
        ["allOf": [.object(shared), variant]]
    }

    /// The type of variants that are all texts: any text, or an enumeration of all listed ones.
    private func texts() -> SwiftType? {
        var listed: [String] = []
        for variant in variants {
            guard let schema = book.description.resolved(variant, at: "")?.value.object,
                SchemaReader.kind(of: schema) == .string, schema["format"] == nil
            else { return nil }
            if let value = schema["const"]?.string { listed.append(value) }
            listed += (schema["enum"]?.array ?? []).compactMap(\.string)
        }
        guard listed.count > 1, listed.count <= SchemaReader.maximumMembers else { return .string }
        return reader.declared(listed, isInteger: false, schema["description"]?.string ?? "")
    }

    private func read(
        _ whole: [JSON],
        _ name: TypeName,
        _ tags: [String: [String]],
        _ hasNull: inout Bool
    ) throws(UnusableDescription) -> [Union.Variant] {
        var used: Set<String> = ["unrecognized", "init", "encode"]
        var read: [Union.Variant] = []
        for (index, schema) in whole.enumerated() {
            let shape = self.shape(of: schema)
            let reference = variants[index]["$ref"]?.string
            let suggestion = self.name(of: variants[index], shape, index)
            let type = try reader.inner(schema, path(index), name.part(suggestion))
            if type.isNullable { hasNull = true }
            let other = SwiftType(text: type.text, form: type.form)
            if read.contains(where: { $0.type.text == other.text }) { continue }
            read.append(
                Union.Variant(
                    name: SwiftName.unique(SwiftName.member(suggestion), &used),
                    type: other,
                    tags: reference.flatMap { tags[$0] } ?? [],
                    kind: type.text == "JSON" ? .any : shape.kind,
                    required: shape.required,
                    constants: shape.constants,
                    names: shape.names
                )
            )
        }
        return read
    }

    /// The suggestion for a variant's name: its schema's name or title, else its kind.
    private func name(of variant: JSON, _ shape: Shape, _ index: Int) -> String {
        if let reference = variant["$ref"]?.string,
            let last = Description.tokens(of: reference)?.last
        {
            return last
        }
        if let title = variant["title"]?.string, !title.isEmpty { return title }
        if shape.kind == .object, let constant = shape.constants.first {
            return String(constant.value.filter { $0 != "\"" })
        }
        return shape.kind == .any ? "variant\(index + 1)" : shape.kind.rawValue
    }

    // MARK: Telling variants apart

    private struct Shape {
        var kind = ValueKind.any
        var required: [String] = []
        var constants: [(key: String, value: String)] = []
        var names: Set<String> = []
        /// The only text of each member in `constants`.
        var texts: [String: String] = [:]
    }

    private func shape(of variant: JSON) -> Shape {
        guard let object = book.description.resolved(variant, at: "")?.value.object,
            let merged = Merging(description: book.description).merged(object)
        else { return Shape() }
        let properties = merged["properties"]?.object ?? [:]
        let required = (merged["required"]?.array ?? []).compactMap(\.string)
        // A member of the other direction is absent.
        let hidden = reader.direction == .input ? "readOnly" : "writeOnly"
        let visible = properties.filter { $0.1[hidden] != true }
        let names = Set(visible.map { $0.0 })
        var constants: [(key: String, value: String)] = []
        var texts: [String: String] = [:]
        for (key, schema) in visible where required.contains(key) {
            let value =
                schema["const"] ?? schema["enum"]?.array.flatMap { $0.count == 1 ? $0[0] : nil }
            guard let text = value?.string else { continue }
            constants.append((key, SwiftText.literal(text)))
            texts[key] = text
        }
        var kind = SchemaReader.kind(of: merged)
        if let value = merged["const"] ?? merged["enum"]?.array?.first, kind == .any {
            kind = value.string != nil ? .string : value.int != nil ? .integer : .any
        }
        return Shape(
            kind: merged["oneOf"] != nil || merged["anyOf"] != nil ? .any : kind,
            required: required.filter { names.contains($0) || properties[$0] == nil },
            constants: constants,
            names: names,
            texts: texts
        )
    }

    /// Returns the variants in the order in which a value is compared with them; nil if a value
    /// could be read as the wrong one.
    private static func sorted(_ variants: [Union.Variant]) -> [Union.Variant]? {
        let order: [ValueKind] = [.boolean, .integer, .number, .string, .array, .object, .any]
        let others = variants.filter { $0.kind != .object }
        for kind in [ValueKind.any, .array, .number, .integer, .boolean] {
            if others.filter({ $0.kind == kind }).count > 1 { return nil }
        }
        if others.contains(where: { $0.kind == .any && $0.type.text != "JSON" }), variants.count > 1
        {
            return nil
        }
        // A date or a UUID is compared before any text.
        let texts = others.filter { $0.kind == .string }
        if texts.filter({ $0.type.text == "String" }).count > 1 { return nil }
        var objects: [Union.Variant] = []
        for variant in variants where variant.kind == .object {
            let place = objects.firstIndex { !isDistinct($0, from: variant) } ?? objects.count
            objects.insert(variant, at: place)
        }
        for (index, variant) in objects.enumerated() {
            for later in objects.dropFirst(index + 1) where !isDistinct(variant, from: later) {
                return nil
            }
        }
        let all = others + objects
        return order.flatMap { kind in
            let own = all.filter { $0.kind == kind }
            return kind != .string
                ? own
                : own.filter { $0.type.text != "String" } + own.filter { $0.type.text == "String" }
        }
    }

    /// Whether no value of the other variant passes this one's test.
    private static func isDistinct(_ variant: Union.Variant, from other: Union.Variant) -> Bool {
        if variant.required.contains(where: { !other.names.contains($0) }) { return true }
        return variant.constants.contains { own in
            other.constants.contains { $0.key == own.key && $0.value != own.value }
        }
    }

    /// The discriminator's values of each reference; nil without a discriminator.
    private func tags() -> [String: [String]]? {
        guard schema["discriminator"]?["propertyName"]?.string != nil else { return nil }
        var tags: [String: [String]] = [:]
        for (value, target) in schema["discriminator"]?["mapping"]?.object ?? [:] {
            if let text = target.string { tags[Self.reference(text), default: []].append(value) }
        }
        for variant in variants {
            guard let text = variant["$ref"]?.string, tags[text] == nil,
                let last = Description.tokens(of: text)?.last
            else { continue }
            // Descriptions without a mapping often name the values in the variants.
            let property = schema["discriminator"]?["propertyName"]?.string ?? ""
            tags[text] = [shape(of: variant).texts[property] ?? last]
        }
        return tags
    }

    /// The reference of a mapping, which may be a schema's name alone.
    static func reference(_ text: String) -> String {
        text.contains("#") || text.contains("/") || text.hasSuffix(".json")
            ? text : "#/components/schemas/\(Description.token(text))"
    }
}
