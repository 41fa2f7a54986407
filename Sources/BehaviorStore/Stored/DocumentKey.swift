/// A document's identity: a name within an environment.
package struct DocumentKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name of the document that is served at `/behaviors.json`.
    package static let defaultName = "default"
    /// The environment if a caller names none.
    package static let defaultEnvironment = "production"

    /// The environment: `production`, `staging`.
    package let environment: String
    /// The name: `default`, `checkout`.
    package let name: String

    /// Nil if either name is invalid.
    package init?(_ name: String, in environment: String = Self.defaultEnvironment) {
        guard Self.isName(name), Self.isName(environment) else { return nil }
        self.environment = environment
        self.name = name
    }

    /// A name's pattern for schemas: a lowercase letter or digit, then up to 62 of them or hyphens.
    package static let pattern = "^[a-z0-9][a-z0-9-]{0,62}$"
    /// The pattern in words.
    package static let shape = "a lowercase letter or digit, then up to 62 of them or hyphens"

    /// Whether a text is a valid name: equivalent to ``pattern``, without a regular expression.
    package static func isName(_ text: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || byte &- 0x61 < 26 }
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 63, isPlain(first) else { return false }
        return bytes.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "-") }
    }

    /// Orders by environment, then by name.
    package static func < (one: DocumentKey, other: DocumentKey) -> Bool {
        (one.environment, one.name) < (other.environment, other.name)
    }

    /// For example `checkout in staging`.
    package var description: String { "\(name) in \(environment)" }
}

extension DocumentKey: Codable {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let environment = try members.decode(String.self, forKey: .environment)
        let name = try members.decode(String.self, forKey: .name)
        guard let key = DocumentKey(name, in: environment) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected an environment and a name, each \(Self.shape)"
                )
            )
        }
        self = key
    }
}
