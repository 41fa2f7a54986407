/// Writes a contract: the class of an action with its input, its route and its types.
struct OperationWriter {
    private let operation: Operation

    init(_ operation: Operation) { self.operation = operation }

    func write(to lines: inout SwiftLines) {
        let access = lines.access
        lines.comment(operation.comment)
        if operation.isDeprecated { lines.add("@available(*, deprecated)") }
        let key = operation.needsKey ? ", RequiresIdempotencyKey" : ""
        let output = qualified(operation.output)
        lines.block(
            "\(lines.classAccess)class \(operation.name): Action<\(input), \(output)>, "
                + "\(operation.method)\(key)"
        ) { lines in
            if case .members(let input) = operation.input { write(input, to: &lines) }
            lines.add("\(access)static var path: String { \(SwiftText.literal(operation.path)) }")
            if case .members(let input) = operation.input { declare(input, to: &lines) }
            if let type = operation.mediaType {
                lines.add("\(access)static var mediaType: String? { \(SwiftText.literal(type)) }")
            }
            declareFields(
                operation.responseFields.map { ($0.member, $0.field) },
                "responseFields",
                to: &lines
            )
            if !operation.problems.isEmpty {
                let types = operation.problems.map { "\($0).self" }.joined(separator: ", ")
                lines.add(
                    "\(access)static var problems: [any DeclaredProblem.Type] { [\(types)] }"
                )
            }
            for declaration in operation.declarations {
                lines.blank()
                DeclarationWriter().write(declaration, to: &lines)
            }
            for form in operation.forms {
                lines.blank()
                write(form, to: &lines)
            }
        }
    }

    private var input: String {
        switch operation.input {
        case .nothing: "Void"
        case .body: "RequestBody"
        case .type(let type): qualified(type)
        case .members: "\(operation.name).Input"
        }
    }

    /// Returns a type with the owner's name before the owner's types: the head of a class doesn't
    /// know them.
    private func qualified(_ type: String) -> String {
        var text = ""
        var word = ""
        func flush() {
            text +=
                operation.nested.contains(word) && !text.hasSuffix(".")
                ? "\(operation.owner).\(word)" : word
            word = ""
        }
        for character in type {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
            } else {
                flush()
                text.append(character)
            }
        }
        flush()
        return text
    }

    // MARK: The input

    private func write(_ input: Operation.InputMembers, to lines: inout SwiftLines) {
        let access = lines.access
        lines.comment("The input.")
        let protocols = input.body == nil ? "Codable, Hashable, Sendable" : "InputWithBody"
        lines.block("\(access)struct Input: \(protocols)") { lines in
            StructureWriter.properties(input.members, to: &lines)
            guard let body = input.body, body.hasValue else {
                StructureWriter.initializer(input.members, to: &lines)
                guard input.body != nil else {
                    let needsNull = input.members.contains {
                        $0.isRequired && $0.type.isNullable && !$0.isChange
                    }
                    StructureWriter.keys(input.members, isNeeded: needsNull, to: &lines)
                    if needsNull { StructureWriter.encoding(input.members, to: &lines) }
                    return
                }
                StructureWriter.keys(input.members, isNeeded: true, to: &lines)
                StructureWriter.encoding(input.members, to: &lines)
                Self.write(input.body, to: &lines)
                return
            }
            lines.comment(body.comment)
            lines.add("\(access)var body: \(body.type)\(body.isRequired ? "" : "?")")
            StructureWriter.initializer(
                input.members,
                body: (body.type, body.isRequired),
                to: &lines
            )
            StructureWriter.keys(input.members, isNeeded: true, to: &lines)
            StructureWriter.encoding(input.members, to: &lines)
            Self.write(body, to: &lines)
        }
        lines.blank()
    }

    /// Writes the function that makes the body.
    private static func write(_ body: Operation.OwnBody?, to lines: inout SwiftLines) {
        guard let body else { return }
        let value = body.isRequired ? "body" : "$0"
        let made: String
        switch body.content {
        case .nothing: made = "nil"
        case .bytes: made = "body"
        case .json("application/json"): made = "try RequestBody(json: \(value))"
        case .json(let mediaType):
            made = "try RequestBody(json: \(value), mediaType: \(SwiftText.literal(mediaType)))"
        case .form: made = "try RequestBody(form: \(value))"
        case .multipart: made = "try \(value).body()"
        }
        lines.blank()
        lines.comment("Makes the request's body.")
        lines.block("\(lines.access)func requestBody() throws -> RequestBody?") { lines in
            lines.add(
                body.isRequired || made == "body" || made == "nil"
                    ? made : "try body.map { \(made) }"
            )
        }
    }

    private func declare(_ input: Operation.InputMembers, to lines: inout SwiftLines) {
        declareFields(input.fields.map { ($0.key, $0.name) }, "fields", to: &lines)
        guard !input.queried.isEmpty else { return }
        let names = input.queried.map(SwiftText.literal).joined(separator: ", ")
        lines.add("\(lines.access)static var queried: [String] { [\(names)] }")
    }

    private func declareFields(
        _ fields: [(String, String)],
        _ name: String,
        to lines: inout SwiftLines
    ) {
        guard !fields.isEmpty else { return }
        let texts = fields.map { "\(SwiftText.literal($0.0)): .init(\(SwiftText.literal($0.1)))!" }
        lines.add(
            "\(lines.access)static var \(name): [String: HTTPField.Name] { "
                + "[\(texts.joined(separator: ", "))] }"
        )
    }

    // MARK: Forms with files

    private func write(_ form: Operation.Form, to lines: inout SwiftLines) {
        let access = lines.access
        let members = form.parts.map { part in
            var member = Member(
                name: part.name,
                key: part.key,
                type: SwiftType(text: part.type, form: .other),
                isRequired: part.isRequired
            )
            member.comment = part.comment
            return member
        }
        lines.comment("The fields and files of the form.")
        lines.block("\(access)struct \(form.name): Sendable") { lines in
            StructureWriter.properties(members, to: &lines)
            StructureWriter.initializer(members, to: &lines)
            lines.blank()
            lines.comment("Makes the form's body.")
            lines.block("\(access)func body() throws -> RequestBody") { lines in
                lines.add("\(form.parts.isEmpty ? "let" : "var") form = MultipartForm()")
                for part in form.parts {
                    let key = SwiftText.literal(part.key)
                    let list = part.isRequired ? "self.\(part.name)" : "self.\(part.name) ?? []"
                    func call(with value: String) -> String {
                        part.isFile
                            ? "form.add(\(key), \(value))" : "try form.add(\(key), value: \(value))"
                    }
                    if part.isList {
                        lines.add("for value in \(list) { \(call(with: "value")) }")
                    } else if part.isRequired {
                        lines.add(call(with: "self.\(part.name)"))
                    } else {
                        lines.add("if let value = self.\(part.name) { \(call(with: "value")) }")
                    }
                }
                lines.add("return try form.body()")
            }
        }
    }
}

extension Operation.OwnBody {
    /// Whether the input has a member for it.
    fileprivate var hasValue: Bool { if case .nothing = content { false } else { true } }
}
