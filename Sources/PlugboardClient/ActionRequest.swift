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
    /// The input's members that are sent in header fields.
    private(set) var fields: HTTPFields = [:]

    /// Creates the request for an input; nil is `Void`.
    ///
    /// - Throws: ``ClientError`` of kind `invalidInput` if a value can't be in the request.
    init(_ route: ActionRoute, input: JSON?) throws(ClientError) {
        method = route.method
        let names = route.template.names
        var input = input
        for (member, field) in route.fields {
            if let value = input?[member], value != .null {
                guard let text = Self.fieldText(of: value) else {
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
            return
        }
        if names.isEmpty, route.hasBody, !route.hasQuery {
            target = try Self.path(route.template, JSON.Object())
            body = input.encoded()
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
            if route.isQueried(name) { others[name] = nil } else { rest[name] = nil }
        }
        let query = Query.text(try QueryEncoding.items(rest))
        target = query.isEmpty ? path : "\(path)?\(query)"
        if let member = route.wholeBody {
            body = others[member].flatMap(Self.text(of:)).map { Array($0.utf8) }
        } else {
            body = route.hasBody ? JSON.object(others).encoded() : nil
        }
    }

    private static func path(
        _ template: PathTemplate,
        _ members: JSON.Object
    ) throws(ClientError) -> String {
        do {
            return try template.path(filling: { name in members[name].flatMap(text(of:)) })
        } catch {
            throw ClientError(.invalidInput, error.description)
        }
    }

    /// Returns a field's value; an array becomes a list, quoted where necessary (RFC 9110 §5.6.1).
    ///
    /// The value of an empty array is empty. Nil for a value that a field would change: whitespace
    /// around it, and control characters (RFC 9110 §5.5).
    private static func fieldText(of value: JSON) -> String? {
        let elements = (value.array ?? [value]).map(text(of:))
        let texts = elements.compactMap(\.self)
        guard texts.count == elements.count else { return nil }
        let text =
            value.array == nil ? texts.joined() : texts.map(quoted).joined(separator: ", ")
        let bytes = text.utf8
        let isBlank = { (byte: UInt8?) in byte == 0x20 || byte == 0x09 }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }), !isBlank(bytes.first),
            !isBlank(bytes.last)
        else { return nil }
        return text
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x2C
        }
        guard !isPlain || text.isEmpty else { return text }
        // Scalars: a quote with a combining accent is a single other `Character`.
        let escaped = text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { view, scalar in
            if scalar == "\"" || scalar == "\\" { view.append("\\") }
            view.append(scalar)
        }
        return "\"" + String(escaped) + "\""
    }

    /// Returns the text of a scalar; nil for null, an array and an object.
    static func text(of value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
