import JSONCodec

/// Reads an operation's request body.
struct BodyReader {
    struct Body {
        enum Content {
            /// Members of a JSON object, which the input has itself.
            case members([Member])
            /// JSON as `application/json`.
            case value(SwiftType)
            /// JSON under another media type.
            case json(SwiftType, mediaType: String)
            case form(SwiftType)
            case multipart(Operation.Form)
            case bytes
        }

        let content: Content
        let isRequired: Bool
        let comment: String
    }

    private let description: Description
    private let book: TypeBook
    private let place: OperationReader.Place
    private let scope: TypeScope

    init(
        _ description: Description,
        _ book: TypeBook,
        _ place: OperationReader.Place,
        _ scope: TypeScope
    ) {
        self.description = description
        self.book = book
        self.place = place
        self.scope = scope
    }

    /// Returns the body; nil for an operation without one.
    func body() throws(OperationError) -> Body? {
        guard let value = place.operation["requestBody"] else { return nil }
        let own = place.pointer + "/requestBody"
        guard let (value, pointer) = description.resolved(value, at: own) else {
            throw .out(own, "the body is in another document, which isn't read")
        }
        let content = value["content"]?.object ?? [:]
        guard let chosen = Self.choice(content) else { return nil }
        for name in content.names where name != chosen.name {
            book.note(
                "\(pointer)/content/\(Description.token(name))",
                "left out, because the contract sends \(chosen.name)"
            )
        }
        let isRequired = value["required"] == true
        let place = "\(pointer)/content/\(Description.token(chosen.name))"
        let read = try read(chosen, content[chosen.name] ?? [:], place, isRequired)
        let types = chosen.kind == .bytes ? "\n\nMedia type: `\(chosen.name)`." : ""
        return Body(
            content: read,
            isRequired: isRequired,
            comment: (value["description"]?.string ?? "The request's body.") + types
        )
    }

    /// The media types of bodies that contracts can send.
    private static func choice(_ content: JSON.Object) -> MediaName? {
        let names = content.names.map(MediaName.init)
        for kind in [MediaName.Kind.json, .form, .multipart, .bytes] {
            let own = names.filter { $0.kind == kind }
            if let name = own.first(where: { $0.essence == "application/json" }) ?? own.first {
                return name
            }
        }
        return names.first
    }

    private func read(
        _ media: MediaName,
        _ content: JSON,
        _ pointer: String,
        _ isRequired: Bool
    ) throws(OperationError) -> Body.Content {
        let schema = content["schema"] ?? [:]
        switch media.kind {
        case .json where media.essence == "application/json":
            if let members = try members(schema, pointer + "/schema", isRequired) {
                return .members(members)
            }
            return .value(try type(schema, pointer + "/schema", "Body"))
        case .json where media.essence == "application/merge-patch+json":
            guard let members = try members(schema, pointer + "/schema", true) else { fallthrough }
            let name = book.name(TypeName(text: "Body"), in: scope)
            scope.declarations.append(
                .structure(Structure(name: name, comment: "The changes.", members: members))
            )
            return .json(SwiftType(text: name, form: .other), mediaType: media.essence)
        case .json:
            return .json(try type(schema, pointer + "/schema", "Body"), mediaType: media.essence)
        case .form: return try form(schema, content["encoding"], pointer)
        case .multipart: return try multipart(schema, content["encoding"], pointer)
        case .bytes, .events, .lines: return .bytes
        }
    }

    private func type(
        _ schema: JSON,
        _ pointer: String,
        _ name: String
    ) throws(OperationError) -> SwiftType {
        try book.operationType(of: schema, at: pointer, as: TypeName(text: name), in: scope, .input)
    }

    /// The members of a JSON object without a name of its own; nil for another schema.
    private func members(
        _ schema: JSON,
        _ pointer: String,
        _ isRequired: Bool
    ) throws(OperationError) -> [Member]? {
        // A patch has its own type, in which a member may be cleared.
        let isPatch = place.method == "patch"
        guard
            let (whole, pointer) = isPatch
                ? description.resolved(schema, at: pointer) : (schema, pointer),
            let object = whole.object, object["$ref"] == nil,
            let merged = Merging(description: description).merged(object),
            merged["properties"]?.object?.isEmpty == false, merged["nullable"] != true,
            merged["type"] == nil || merged["type"] == "object",
            merged["oneOf"] == nil, merged["anyOf"] == nil,
            merged["additionalProperties"] == nil || merged["additionalProperties"] == false,
            isRequired || merged["required"]?.array?.isEmpty ?? true
        else { return nil }
        let reader = SchemaReader(
            book: book,
            pointer: pointer,
            name: TypeName(text: "Body"),
            scope: scope,
            direction: .input,
            depth: 0,
            reference: nil
        )
        do throws(UnusableDescription) {
            return try StructureReader(reader).members(
                of: merged,
                TypeName(text: "Body"),
                isPatch: isPatch
            ) { TypeName(text: SwiftName.type($1)) }
        } catch {
            throw .unusable(error)
        }
    }

    // MARK: Forms

    private func form(
        _ schema: JSON,
        _ encoding: JSON?,
        _ pointer: String
    ) throws(OperationError) -> Body.Content {
        guard let (schema, place) = description.resolved(schema, at: pointer + "/schema"),
            let merged = schema.object.flatMap(Merging(description: description).merged),
            let properties = merged["properties"]?.object
        else { throw .out(pointer, "a form's schema has no properties") }
        let required = Set((merged["required"]?.array ?? []).compactMap(\.string))
        var members: [Member] = []
        var used: Set<String> = []
        for (key, schema) in properties where schema["readOnly"] != true {
            let own = "\(place)/properties/\(Description.token(key))"
            var type = try book.operationType(
                of: schema,
                at: own,
                as: TypeName(text: "Body").part(key),
                in: scope,
                .input
            )
            type.isNullable = false
            let style = encoding?[key]?["style"]?.string ?? "form"
            let explodes =
                encoding?[key]?["explode"]?.bool ?? (style == "form" || style == "deepObject")
            var name = key
            var reason: String?
            switch type.form {
            case .scalar: break
            case .list where style == "deepObject": name += "[]"
            case .list where style == "form" && explodes: break
            case .list: reason = "is a list in the style \(style), which contracts don't send"
            case .members:
                if style != "deepObject" {
                    reason = "is an object in another style than deepObject"
                }
            case .other: reason = "is nested, and a form isn't"
            }
            if let reason {
                guard !required.contains(key) else {
                    throw .out(own, "the form's member \(key) \(reason)")
                }
                book.note(own, "left out, because the form's member \(key) \(reason)")
                continue
            }
            var member = Member(
                name: SwiftName.unique(SwiftName.member(key), &used),
                key: name,
                type: type,
                isRequired: required.contains(key)
            )
            member.comment = StructureReader.comment(schema)
            members.append(member)
        }
        let name = book.name(TypeName(text: "Body"), in: scope)
        scope.declarations.append(
            .structure(Structure(name: name, comment: "The fields of the form.", members: members))
        )
        return .form(SwiftType(text: name, form: .members))
    }

    private func multipart(
        _ schema: JSON,
        _ encoding: JSON?,
        _ pointer: String
    ) throws(OperationError) -> Body.Content {
        guard let (schema, place) = description.resolved(schema, at: pointer + "/schema"),
            let merged = schema.object.flatMap(Merging(description: description).merged),
            let properties = merged["properties"]?.object
        else { return .bytes }
        let required = Set((merged["required"]?.array ?? []).compactMap(\.string))
        let name = book.name(TypeName(text: "Form"), in: scope)
        var used: Set<String> = []
        var parts: [Operation.Form.Part] = []
        for (key, schema) in properties where schema["readOnly"] != true {
            let own = "\(place)/properties/\(Description.token(key))"
            let resolved = description.resolved(schema, at: own)?.value ?? [:]
            let element = resolved["items"].flatMap { description.resolved($0, at: own)?.value }
            let isList = resolved["type"] == "array"
            let isFile = Self.isFile(isList ? element ?? [:] : resolved, encoding?[key])
            var type = SwiftType(text: "MultipartForm.File", form: .scalar)
            if !isFile {
                type = try book.operationType(
                    of: isList ? resolved["items"] ?? [:] : schema,
                    at: own,
                    as: TypeName(text: name).part(key),
                    in: scope,
                    .input
                )
            }
            parts.append(
                Operation.Form.Part(
                    name: SwiftName.unique(SwiftName.member(key), &used),
                    key: key,
                    type: isList ? "[\(type.text)]" : type.text,
                    isRequired: required.contains(key),
                    isList: isList,
                    isFile: isFile,
                    comment: StructureReader.comment(schema)
                )
            )
        }
        return .multipart(Operation.Form(name: name, parts: parts))
    }

    private static func isFile(_ schema: JSON, _ encoding: JSON?) -> Bool {
        if schema["format"] == "binary" { return true }
        if schema["contentMediaType"] != nil, schema["contentEncoding"] == nil { return true }
        guard let type = encoding?["contentType"]?.string else { return false }
        let kind = MediaName(type).kind
        return kind == .bytes && !type.hasPrefix("text/")
            && (schema["type"] == nil || schema["type"] == "string")
    }
}
