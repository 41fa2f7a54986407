import HTTPTypes
import JSONCodec

extension Problem: Codable {
    /// Decodes a problem from its JSON object.
    ///
    /// A member of a type other than RFC 9457's is ignored, as section 3.1 requires. A problem
    /// without a status, which that section makes optional, becomes a `500`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) -> String? { try? container.decode(String.self, forKey: key) }

        let code = (try? container.decode(Int.self, forKey: .status)) ?? 500
        self.init(
            status: (100...999).contains(code)
                ? HTTPResponse.Status(code: code) : .internalServerError,
            type: text(.type) ?? "about:blank",
            title: text(.title),
            detail: text(.detail),
            instance: text(.instance),
            errors: try? container.decode([FieldError].self, forKey: .errors)
        )
        for key in container.allKeys where !Key.own.contains(key) {
            members[key.name] = try container.decode(JSON.self, forKey: key)
        }
        if errors == nil { members["errors"] = try? container.decode(JSON.self, forKey: .errors) }
    }

    /// Encodes the problem as a JSON object.
    ///
    /// Its standard members override extensions of the same name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in members where !Key.own.contains(Key(name)) {
            try container.encode(value, forKey: Key(name))
        }
        try container.encode(type, forKey: .type)
        try container.encode(title, forKey: .title)
        try container.encode(status.code, forKey: .status)
        try container.encodeIfPresent(detail, forKey: .detail)
        try container.encodeIfPresent(instance, forKey: .instance)
        if let errors {
            try container.encode(errors, forKey: .errors)
        } else {
            try container.encodeIfPresent(members["errors"], forKey: .errors)
        }
    }

    private struct Key: CodingKey, Hashable {
        let name: String

        init(_ name: String) {
            self.name = name
        }

        init?(stringValue: String) {
            name = stringValue
        }

        init?(intValue: Int) { nil }

        var stringValue: String { name }
        var intValue: Int? { nil }

        static let type = Key("type")
        static let title = Key("title")
        static let status = Key("status")
        static let detail = Key("detail")
        static let instance = Key("instance")
        static let errors = Key("errors")
        static let own: Set<Key> = [type, title, status, detail, instance, errors]
    }
}
