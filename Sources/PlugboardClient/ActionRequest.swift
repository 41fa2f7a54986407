import HTTPTypes
import JSONCodec
import PlugHTTP

/// An action's input, distributed over a request's path, query, fields and body.
struct ActionRequest: Equatable {
    let method: HTTPRequest.Method
    /// The path with the query.
    let target: String
    /// The body as JSON text; nil for none.
    let body: [UInt8]?
    /// The media type of the body; nil for a request without a body.
    let mediaType: String?
    /// The input's members that are sent in header fields.
    private(set) var fields: HTTPFields = [:]

    /// Creates the request for an input; nil is `Void`.
    ///
    /// - Throws: `ClientError` of kind `invalidInput` if a value can't be in the request.
    ///
    /// Without `isBody` no member is sent in the body.
    init(_ route: ActionRoute, input: JSON?, isBody: Bool = true) throws(ClientError) {
        method = route.method
        let names = route.template.names
        var input = input
        for (member, field) in route.fields {
            if let value = input?[member], value != .null {
                guard let text = FieldText.text(of: value) else {
                    throw ClientError(
                        .invalidInput,
                        "\(member) cannot be in the field \(field): nested, or with control "
                            + "characters or whitespace around it"
                    )
                }
                fields[field] = text
            }
            input?[member] = nil
        }
        guard let input else {
            target = try Self.path(route.template, JSON.Object())
            body = nil
            mediaType = nil
            return
        }
        if isBody, names.isEmpty, route.hasBody, !route.hasQuery {
            target = try Self.path(route.template, JSON.Object())
            body = input.encoded()
            mediaType = Self.json
            return
        }
        guard case .object(var rest) = input else {
            throw ClientError(
                .invalidInput,
                "The input of \(route.method) \(route.template) must be a JSON object, "
                    + "so that its members have names in the path and the query"
            )
        }
        let path = try Self.path(route.template, rest)
        for name in names { rest[name] = nil }
        var others = rest
        for name in rest.names {
            if !isBody || route.isQueried(name) { others[name] = nil } else { rest[name] = nil }
        }
        let query = Query.text(try QueryEncoding.items(rest))
        target = query.isEmpty ? path : "\(path)?\(query)"
        guard isBody else {
            body = nil
            mediaType = nil
            return
        }
        guard let member = route.wholeBody else {
            body = route.hasBody ? JSON.object(others).encoded() : nil
            mediaType = route.hasBody ? Self.json : nil
            return
        }
        guard let value = others[member], value != .null else {
            body = nil
            // A server of other types than JSON checks the type of an absent body, too.
            mediaType = route.bodyTypes.first
            return
        }
        guard let text = FieldText.scalar(value) else {
            throw ClientError(
                .invalidInput,
                "\(member) cannot be the body of \(route.method) \(route.template): it must be a text"
            )
        }
        body = Array(text.utf8)
        mediaType = route.bodyTypes.first ?? Self.json
    }

    private static let json = "application/json"

    private static func path(
        _ template: PathTemplate,
        _ members: JSON.Object
    ) throws(ClientError) -> String {
        do {
            return try template.path(filling: { name in members[name].flatMap(FieldText.scalar) })
        } catch {
            throw ClientError(.invalidInput, error.description)
        }
    }
}
