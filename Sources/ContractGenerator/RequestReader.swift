import HTTPTypes
import JSONCodec
import PlugHTTP

/// Reads an operation's parameters and body: the input of its contract.
struct RequestReader {
    struct Request {
        var path: String
        var input = Operation.Input.nothing
        var needsKey = false
        var forms: [Operation.Form] = []
    }

    private let description: Description
    private let book: TypeBook
    let place: OperationReader.Place
    private let scope: TypeScope

    /// Fields that the client sets itself, or that a contract can't set.
    private static let clientFields: Set<String> = [
        "accept", "content-type", "authorization", "request-timeout", "if-none-match",
        "traceparent", "tracestate", "last-event-id",
    ]
    private static let transportFields: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "cookie", "te", "upgrade",
        "keep-alive", "trailer", "expect",
    ]

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

    func read() throws(OperationError) -> Request {
        var parameters = try parameters()
        parameters += keyParameters(besides: parameters)
        var request = Request(path: place.path)
        request.needsKey = parameters.contains(where: \.isKey)
        parameters.removeAll(where: \.isKey)
        let body = try BodyReader(description, book, place, scope).body()
        if !place.hasBody, let body {
            guard !body.isRequired else {
                throw .out(
                    place.pointer + "/requestBody",
                    "a \(place.method.uppercased()) has no body"
                )
            }
            book.note(
                place.pointer + "/requestBody",
                "left out, because a \(place.method.uppercased()) has no body"
            )
        }
        try finish(&request, parameters, place.hasBody ? body : nil)
        do throws(PathTemplate.Invalid) {
            _ = try PathTemplate(request.path)
        } catch {
            throw .out(
                "/paths/\(Description.token(place.path))",
                "no contract has such a path: " + error.rule
            )
        }
        return request
    }

    // MARK: Parameters

    struct Parameter {
        var member: Member
        let place: String
        let name: String
        let pointer: String
        /// The member's name at a server of this package; nil for other servers.
        var label: String?
        /// Whether it is the key of a request that is performed once.
        var isKey = false
    }

    /// The operation's parameters, which override those of its path.
    private func parameters() throws(OperationError) -> [Parameter] {
        var found: [(name: String, place: String, value: JSON, pointer: String)] = []
        let lists = [
            (place.shared, place.sharedPointer),
            (place.operation["parameters"], place.pointer + "/parameters"),
        ]
        for (list, pointer) in lists {
            for (index, value) in (list?.array ?? []).enumerated() {
                let own = "\(pointer)/\(index)"
                guard let (value, own) = description.resolved(value, at: own) else {
                    throw .out(own, "a parameter is in another document, which isn't read")
                }
                guard let name = value["name"]?.string, let where_ = value["in"]?.string else {
                    throw .out(own, "a parameter has no \"name\" or no \"in\"")
                }
                found.removeAll { $0.name == name && $0.place == where_ }
                found.append((name, where_, value, own))
            }
        }
        for name in Self.captures(of: place.path)
        where !found.contains(where: { $0.name == name && $0.place == "path" }) {
            let text: JSON = ["required": true, "schema": ["type": "string"]]
            found.append((name, "path", text, place.pointer))
        }
        var parameters: [Parameter] = []
        for (name, where_, value, pointer) in found {
            if let read = try parameter(name, where_, value, pointer) { parameters.append(read) }
        }
        return parameters
    }

    private static func captures(of path: String) -> [String] {
        path.split(separator: "/").compactMap { segment in
            guard segment.hasPrefix("{"), segment.hasSuffix("}"), segment.utf8.count > 2 else {
                return nil
            }
            // Two variables in one segment, and operators of RFC 6570, are no name.
            let name = String(segment.dropFirst().dropLast())
            return name.contains { "{}+*?;&#".contains($0) } ? nil : name
        }
    }

    private func parameter(
        _ name: String,
        _ where_: String,
        _ value: JSON,
        _ pointer: String
    ) throws(OperationError) -> Parameter? {
        let isRequired = value["required"] == true || where_ == "path"
        /// Leaves out an optional parameter, or the operation.
        func leave(_ reason: String) throws(OperationError) -> Parameter? {
            let part = "the parameter \(name) \(reason)"
            guard !isRequired else { throw .out(pointer, part) }
            book.note(pointer, "left out, because \(part)")
            return nil
        }
        switch where_ {
        case "cookie": return try leave("is a cookie: send it in client.fields")
        case "path" where !Self.captures(of: place.path).contains(name):
            guard place.path.contains("{\(name)}") else {
                book.note(pointer, "left out, because the path has no {\(SwiftText.line(name))}")
                return nil
            }
            // The path's check has the reason.
            return nil
        case "header":
            let lower = name.lowercased()
            if lower == "idempotency-key", isRequired {
                return Parameter(
                    member: Member(name: "", key: "", type: .string, isRequired: true),
                    place: where_,
                    name: name,
                    pointer: pointer,
                    isKey: true
                )
            }
            if Self.clientFields.contains(lower) { return nil }
            if Self.transportFields.contains(lower) {
                return try leave("is a field of the connection")
            }
            guard HTTPField.Name(name) != nil else { return try leave("isn't the name of a field") }
        case "path", "query": break
        default: return try leave("is in an unknown place")
        }
        guard let schema = value["schema"] else {
            return try leave("has a media type of its own")
        }
        let type = try book.operationType(
            of: schema,
            at: pointer + "/schema",
            as: TypeName(text: SwiftName.type(name)),
            in: scope,
            .input
        )
        var member = Member(name: "", key: name, type: type, isRequired: isRequired)
        member.type.isNullable = false
        member.comment = comment(value, schema)
        if let reason = Self.adapt(&member, where_, value) { return try leave(reason) }
        var parameter = Parameter(member: member, place: where_, name: name, pointer: pointer)
        if let own = value["x-plugboard-member"]?.string, where_ == "header" {
            parameter.member.key = own
            parameter.label = own
        }
        return parameter
    }

    private func comment(_ parameter: JSON, _ schema: JSON) -> String {
        var comment = parameter["description"]?.string ?? ""
        let own = StructureReader.comment(schema)
        if !own.isEmpty, own != comment { comment += comment.isEmpty ? own : "\n\n" + own }
        if parameter["deprecated"] == true {
            comment += comment.isEmpty ? "Deprecated." : "\n\nDeprecated."
        }
        return comment
    }

    /// Changes a member to the form in which its parameter is sent.
    ///
    /// - Returns: the reason why it can't be sent; nil if it can.
    private static func adapt(_ member: inout Member, _ where_: String, _ value: JSON) -> String? {
        let style = value["style"]?.string
        let explodes =
            value["explode"]?.bool ?? (style == nil || style == "form" || style == "deepObject")
        switch (where_, member.type.form) {
        case ("path", .scalar):
            return style == nil || style == "simple" ? nil : "has the style \(style ?? "")"
        case ("path", _): return "isn't a text, a number or a Boolean"
        case ("header", .scalar), ("header", .list): return nil
        case ("header", _): return "is nested, and a field isn't"
        case (_, .scalar): return nil
        case (_, .list):
            switch style ?? "form" {
            case "form" where explodes: return nil
            case "deepObject": member.key += "[]"
            case "form": separate(&member, "commas")
            case "spaceDelimited": separate(&member, "spaces")
            case "pipeDelimited": separate(&member, "the character |")
            default: return "has the unknown style \(style ?? "")"
            }
            return nil
        case (_, .members):
            return style == "deepObject" ? nil : "is an object in another style than deepObject"
        case (_, .other): return "is nested, and a query isn't"
        }
    }

    private static func separate(_ member: inout Member, _ separator: String) {
        member.type = .string
        let words = "Values separated by \(separator)."
        member.comment += member.comment.isEmpty ? words : "\n\n" + words
    }

    /// The keys of an API in the query, which the client can't add itself.
    private func keyParameters(besides parameters: [Parameter]) -> [Parameter] {
        let demands = place.operation["security"] ?? description.root["security"]
        var keys: [Parameter] = []
        for (name, _) in demands?.array?.compactMap(\.object).flatMap({ Array($0) }) ?? [] {
            guard let scheme = description.root["components"]?["securitySchemes"]?[name],
                scheme["type"] == "apiKey", scheme["in"] == "query",
                let key = scheme["name"]?.string,
                !(parameters + keys).contains(where: { $0.name == key })
            else { continue }
            var member = Member(name: "", key: key, type: .string, isRequired: false)
            member.comment = "The API's key."
            keys.append(
                Parameter(member: member, place: "query", name: key, pointer: place.pointer)
            )
        }
        return keys
    }
}

extension PathTemplate.Invalid {
    /// The rule that the path breaks, without the path and the period.
    fileprivate var rule: String {
        let start = description.firstRange(of: "cannot be used: ")?.upperBound
        let text = String(description[(start ?? description.startIndex)...])
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
