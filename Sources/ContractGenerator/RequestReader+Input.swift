extension RequestReader {
    /// Sets a request's path, input and forms from its parameters and its body.
    func finish(
        _ request: inout Request,
        _ parameters: [Parameter],
        _ body: BodyReader.Body?
    ) throws(OperationError) {
        guard !parameters.isEmpty else {
            switch body?.content {
            case nil: return
            case .members(let members)?:
                var used: Set<String> = []
                request.input = .members(.init(members: members.map { named($0, nil, &used) }))
            case .value(let type)? where body?.isRequired == true:
                request.input = .type(type.written)
            case .value(let type)?:
                request.input = own(.json(mediaType: "application/json"), type.text, body)
            case .json(let type, let mediaType)?:
                request.input = own(.json(mediaType: mediaType), type.text, body)
            case .form(let type)?: request.input = own(.form, type.text, body)
            case .multipart(let form)?:
                request.forms = [form]
                request.input = own(.multipart, form.name, body)
            case .bytes?: request.input = .body
            }
            return
        }
        var members = Operation.InputMembers(members: [])
        var used: Set<String> = []
        var keys = Set(parameters.filter { $0.place == "query" }.map(\.member.key))
        var flat: [Member] = []
        switch body?.content {
        case nil: break
        case .members(let own)?:
            flat = own
            for member in own where !keys.insert(member.key).inserted {
                throw .out(
                    place.pointer,
                    "the query and the body have members of one name: \(member.key)"
                )
            }
        case .value(let type)?:
            members.body = ownBody(.json(mediaType: "application/json"), type.text, body)
        case .json(let type, let mediaType)?:
            members.body = ownBody(.json(mediaType: mediaType), type.text, body)
        case .form(let type)?: members.body = ownBody(.form, type.text, body)
        case .multipart(let form)?:
            request.forms = [form]
            members.body = ownBody(.multipart, form.name, body)
        case .bytes?: members.body = ownBody(.bytes, "RequestBody", body)
        }
        if members.body != nil { used.insert("body") }
        var captures: [String: String] = [:]
        for parameter in parameters.sorted(by: { $0.order < $1.order }) {
            var member = named(parameter.member, parameter.label ?? parameter.name, &used)
            if parameter.place != "query" {
                // The key only links the member to the path or the field.
                let isKey = !member.key.isEmpty && member.key.utf8.allSatisfy(\.isKeyByte)
                member.key = SwiftName.unique(isKey ? member.key : "key", &keys)
            }
            if parameter.place == "path" { captures[parameter.name] = member.key }
            if parameter.place == "header" {
                members.fields.append((key: member.key, name: parameter.name))
            }
            if parameter.place == "query", members.body == nil, place.hasBody {
                members.queried.append(member.key)
            }
            members.members.append(member)
        }
        members.members += flat.map { named($0, nil, &used) }
        if body == nil, place.hasBody {
            // Members that no body has would be an empty object.
            members.queried = []
            members.body = ownBody(.nothing, "", nil)
        }
        request.path = Self.path(place.path, captures)
        request.input = .members(members)
    }

    private static func path(_ path: String, _ captures: [String: String]) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.hasPrefix("{"), segment.hasSuffix("}"),
                let key = captures[String(segment.dropFirst().dropLast())]
            else { return String(segment) }
            return "{\(key)}"
        }.joined(separator: "/")
    }

    private func named(_ member: Member, _ name: String? = nil, _ used: inout Set<String>) -> Member
    {
        var member = member
        member.name = SwiftName.unique(SwiftName.member(name ?? member.key), &used)
        return member
    }

    private func own(
        _ content: Operation.OwnBody.Content,
        _ type: String,
        _ body: BodyReader.Body?
    ) -> Operation.Input {
        .members(.init(members: [], body: ownBody(content, type, body)))
    }

    private func ownBody(
        _ content: Operation.OwnBody.Content,
        _ type: String,
        _ body: BodyReader.Body?
    ) -> Operation.OwnBody {
        Operation.OwnBody(
            content: content,
            type: type,
            isRequired: body?.isRequired ?? true,
            comment: body?.comment ?? ""
        )
    }
}

extension RequestReader.Parameter {
    /// The path's parameters come first, then required ones.
    fileprivate var order: Int { place == "path" ? 0 : member.isRequired ? 1 : 2 }
}

extension OperationReader.Place {
    /// Whether the operation may have a body.
    var hasBody: Bool { ["post", "put", "patch"].contains(method) }
}

extension UInt8 {
    /// Whether a name in a path's braces may have this byte.
    fileprivate var isKeyByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
