/// Which behavior document: a name within an environment.
package struct DocumentKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The document that is served at `/behaviors.json`.
    package static let defaultName = "default"
    /// The environment of who names none.
    package static let defaultEnvironment = "production"

    /// The environment: `production`, `staging`.
    package let environment: String
    /// The name: `default`, `checkout`.
    package let name: String

    /// Nil where one of the two is no name.
    package init?(_ name: String, in environment: String = Self.defaultEnvironment) {
        guard Self.isName(name), Self.isName(environment) else { return nil }
        self.environment = environment
        self.name = name
    }

    /// What a name is, for a schema: a small letter or digit, and up to 62 more of them or hyphens.
    package static let pattern = "^[a-z0-9][a-z0-9-]{0,62}$"
    /// The same, for people.
    package static let shape = "a small letter or digit, and up to 62 more or hyphens"

    /// Whether a text is a name: what ``pattern`` says, without the reading of one.
    package static func isName(_ text: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || byte &- 0x61 < 26 }
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 63, isPlain(first) else { return false }
        return bytes.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "-") }
    }

    /// By environment, then by name.
    package static func < (one: DocumentKey, other: DocumentKey) -> Bool {
        (one.environment, one.name) < (other.environment, other.name)
    }

    /// `checkout in staging`.
    package var description: String { "\(name) in \(environment)" }
}
