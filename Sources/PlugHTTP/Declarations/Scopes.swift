import JSONCodec

/// A set of scopes, the names of a caller's permissions.
///
/// Names are equal if their bytes are: canonical equivalents such as `K` and U+212A differ.
/// The application defines the names. A name implies another only by a rule (``ImpliedScopes``):
/// `photos:write` doesn't imply `photos:read`. `admin` implies the scopes of the server's own
/// actions.
public struct Scopes: Sendable {
    /// The scope of the server's own administration, which implies its other scopes.
    public static let admin: Scopes = ["admin"]

    /// The names, in the order of their bytes.
    public let names: [String]

    /// Creates a set from names.
    public init(_ names: some Sequence<String>) {
        self.names = Set(names.map(ExactName.init)).map(\.text)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Parses a list of scopes with spaces between them (RFC 6749 §3.3).
    public init(text: String) {
        self.init(text.split(separator: " ").map(String.init))
    }

    /// The names with spaces between them.
    public var text: String { names.joined(separator: " ") }

    /// Whether the set is empty.
    public var isEmpty: Bool { names.isEmpty }

    /// Returns whether the set contains all of `others`.
    public func contains(_ others: Scopes) -> Bool {
        others.names.allSatisfy { other in names.contains { $0.hasSameBytes(as: other) } }
    }

    /// Returns whether a name is valid: visible ASCII except `"` and `\` (RFC 6749 §3.3).
    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }

    /// The invalid names.
    package var invalid: [String] { names.filter { !Self.isValid($0) } }
}

extension Scopes: Hashable {
    /// Whether both have the same names, byte for byte.
    public static func == (left: Scopes, right: Scopes) -> Bool {
        left.names.elementsEqual(right.names) { $0.hasSameBytes(as: $1) }
    }

    /// Feeds the names' bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        for name in names { hasher.combine(ExactName(text: name)) }
    }
}

extension Scopes: ExpressibleByArrayLiteral {
    /// Creates a set from names.
    public init(arrayLiteral names: String...) { self.init(names) }
}

extension Scopes: CustomStringConvertible {
    /// The names with spaces between them.
    public var description: String { text }
}
