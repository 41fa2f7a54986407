import HTTPTypes
import JSONCodec

/// Reads an operation's responses: the outputs of its contracts, and its errors.
struct ResponseReader {
    struct Output {
        var type: String
        /// The end of the contract's name, if it isn't the operation's first one.
        var suffix = ""
        var mediaType: String?
        var fields: [(member: String, field: String)] = []
        var problems: [String] = []
        /// A line for each error.
        var errors: [String] = []
    }

    private struct Success {
        let content: JSON.Object
        let headers: JSON.Object
        let pointer: String
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

    /// Returns the outputs: one, or a second one for a stream of events beside JSON.
    func outputs() throws(OperationError) -> [Output] {
        var successes: [Success] = []
        var errors: [String] = []
        var problems: [String] = []
        let all = place.operation["responses"]?.object ?? [:]
        let hasSuccess = all.contains { $0.0.hasPrefix("2") }
        for (status, value) in all {
            let own = "\(place.pointer)/responses/\(Description.token(status))"
            let isSuccess = status.hasPrefix("2") || status == "default" && !hasSuccess
            guard let (value, pointer) = description.resolved(value, at: own) else {
                guard !isSuccess else {
                    throw .out(own, "the response is in another document, which isn't read")
                }
                continue
            }
            if isSuccess {
                successes.append(
                    Success(
                        content: value["content"]?.object ?? [:],
                        headers: value["headers"]?.object ?? [:],
                        pointer: pointer
                    )
                )
            } else if status.hasPrefix("4") || status.hasPrefix("5") || status == "default" {
                let found = try error(status, value, pointer)
                errors += found.lines
                problems += found.problems.filter { !problems.contains($0) }
            }
        }
        guard !successes.isEmpty else {
            throw .out(place.pointer + "/responses", "no response is a success")
        }
        var outputs = try outputs(of: successes)
        for index in outputs.indices {
            outputs[index].errors = errors
            outputs[index].problems = problems
        }
        return outputs
    }

    private func outputs(of successes: [Success]) throws(OperationError) -> [Output] {
        var values: [Output] = []
        var hasEvents = false
        var lines: Output?
        var bytes: [String] = []
        var isEmpty = false
        for success in successes {
            let media = success.content.names.map(MediaName.init)
            let json =
                media.first { $0.essence == "application/json" } ?? media.first { $0.kind == .json }
            if media.isEmpty { isEmpty = true }
            for name in media {
                let pointer = "\(success.pointer)/content/\(Description.token(name.name))"
                let content = success.content[name.name] ?? [:]
                switch name.kind {
                case .json where name == json:
                    let read = try value(content, name, pointer, success)
                    if !values.contains(where: { $0.type == read.type }) { values.append(read) }
                case .events: hasEvents = true
                case .lines: if lines == nil { lines = try elements(content, pointer) }
                case _ where json != nil:
                    book.note(pointer, "left out, because the contract reads \(json?.name ?? "")")
                case .json, .form, .multipart, .bytes: bytes.append(name.essence)
                }
            }
        }
        if values.count > 1 {
            book.note(
                place.pointer + "/responses",
                "JSON without a type, because the successful responses have different types"
            )
            values = [Output(type: "JSON")]
        }
        if var value = values.first {
            if isEmpty, !value.type.hasSuffix("?") { value.type += "?" }
            if !bytes.isEmpty {
                book.note(
                    place.pointer + "/responses",
                    "\(bytes.joined(separator: ", ")) is left out, because the contract reads JSON"
                )
            }
            return [value] + (hasEvents ? [Output(type: "EventStream", suffix: "Events")] : [])
                + (lines.map { [Output(type: $0.type, suffix: "Lines")] } ?? [])
        }
        if let lines { return [lines] }
        if hasEvents { return [Output(type: "EventStream")] }
        guard !bytes.isEmpty else { return [Output(type: "Void")] }
        let type = Set(bytes).count == 1 ? MediaName(bytes[0]) : nil
        return [
            Output(type: "ResponseBody", mediaType: type.flatMap { $0.isValid ? $0.essence : nil })
        ]
    }

    private func value(
        _ content: JSON,
        _ media: MediaName,
        _ pointer: String,
        _ success: Success
    ) throws(OperationError) -> Output {
        var schema = content["schema"] ?? [:]
        let fields = fields(success.headers)
        if !fields.isEmpty, let whole = adding(fields, to: schema) { schema = whole }
        let isFirst = scope.declarations.allSatisfy { $0.name != "Output" }
        let type = try book.operationType(
            of: schema,
            at: pointer + "/schema",
            as: TypeName(text: isFirst ? "Output" : "Output2", isReserved: isFirst),
            in: scope,
            .output
        )
        var output = Output(type: type.written)
        output.fields = fields.map { ($0.member, $0.field) }
        if media.essence != "application/json", media.isValid { output.mediaType = media.essence }
        return output
    }

    /// The fields that carry members of the output.
    private func fields(
        _ headers: JSON.Object
    ) -> [(member: String, field: String, schema: JSON, isRequired: Bool)] {
        headers.compactMap { name, header in
            guard let member = header["x-plugboard-member"]?.string, HTTPField.Name(name) != nil
            else { return nil }
            return (member, name, header["schema"] ?? [:], header["required"] == true)
        }
    }

    private func adding(
        _ fields: [(member: String, field: String, schema: JSON, isRequired: Bool)],
        to schema: JSON
    ) -> JSON? {
        guard let own = description.resolved(schema, at: "")?.value.object,
            let merged = Merging(description: description).merged(own)
        else { return nil }
        let members = fields.map { ($0.member, $0.schema) }
        let required = fields.filter(\.isRequired).map { JSON.string($0.member) }
        return .object(
            Merging.overlaid(
                merged,
                ["properties": .object(JSON.Object(members)), "required": .array(required)]
            )
        )
    }

    private func elements(_ content: JSON, _ pointer: String) throws(OperationError) -> Output {
        let schema =
            content["itemSchema"] ?? content["schema"]?["contentSchema"] ?? content["schema"]
        let type = try book.operationType(
            of: schema ?? [:],
            at: pointer + "/schema",
            as: TypeName(text: "Element"),
            in: scope,
            .output
        )
        return Output(type: "JSONLines<\(type.written)>")
    }

    // MARK: Errors

    private func error(
        _ status: String,
        _ response: JSON,
        _ pointer: String
    ) throws(OperationError) -> (lines: [String], problems: [String]) {
        for (name, content) in response["content"]?.object ?? [:] {
            let media = MediaName(name)
            guard media.kind == .json, let schema = content["schema"] else { continue }
            let place = "\(pointer)/content/\(Description.token(name))/schema"
            if media.essence == "application/problem+json" {
                return ([], try problems(schema, status, place))
            }
            let type = try book.operationType(
                of: schema,
                at: place,
                as: TypeName(text: "Failure"),
                in: scope,
                .output
            )
            let shown = status == "default" ? "Other errors" : status
            return (["\(shown): `Problem`, whose `body` is `\(type.written)`."], [])
        }
        return ([], [])
    }

    /// The types of the problems that a status' responses may have.
    private func problems(
        _ schema: JSON,
        _ status: String,
        _ pointer: String
    ) throws(OperationError) -> [String] {
        guard let code = Int(status), 400...599 ~= code else { return [] }
        let variants = schema["anyOf"]?.array ?? schema["oneOf"]?.array ?? [schema]
        var names: [String] = []
        for (index, variant) in variants.enumerated() {
            guard let type = variant["properties"]?["type"]?["const"]?.string,
                type != "about:blank"
            else { continue }
            let own = variants.count > 1 ? "\(pointer)/anyOf/\(index)" : pointer
            names.append(try book.problem(variant, type, code, at: own))
        }
        return names
    }
}

extension TypeBook {
    /// Declares a problem's type, once for each URI and status, and returns its name.
    fileprivate func problem(
        _ schema: JSON,
        _ type: String,
        _ status: Int,
        at pointer: String
    ) throws(OperationError) -> String {
        for case .structure(let known) in file.declarations
        where known.problem?.type == type && known.problem?.status == status {
            return known.name
        }
        let last = type.split { "/:#".contains($0) }.last.map(String.init) ?? "Problem"
        let own = name(TypeName(text: SwiftName.type(last)), in: file)
        var object = schema.object ?? [:]
        object["allOf"] = nil
        var properties = object["properties"]?.object ?? [:]
        for name in ["type", "title", "status", "instance", "errors"] { properties[name] = nil }
        object["properties"] = .object(properties)
        let reader = SchemaReader(
            book: self,
            pointer: pointer,
            name: TypeName(text: own),
            scope: file,
            direction: .output,
            depth: 0,
            reference: nil
        )
        do throws(UnusableDescription) {
            let members = try StructureReader(reader).members(of: object, TypeName(text: own))
            file.declarations.append(
                .structure(
                    Structure(
                        name: own,
                        comment: schema["description"]?.string ?? "",
                        members: members,
                        problem: DeclaredError(
                            status: status,
                            type: type,
                            title: schema["title"]?.string ?? ""
                        )
                    )
                )
            )
        } catch {
            throw .unusable(error)
        }
        return own
    }
}
