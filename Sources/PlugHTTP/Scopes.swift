/// A set of scopes: names of what a caller may do.
///
/// What a name stands for is the application's: `photos:write` doesn't include `photos:read`, nor
/// does `admin` include anything; `admin` is what the server's own administration asks for.
public struct Scopes: Sendable, Hashable {
    /// The scope of the server's own administration.
    public static let admin: Scopes = ["admin"]

    /// The names, in alphabetical order.
    public let names: [String]

    /// The scopes of those names.
    public init(_ names: some Sequence<String>) {
        self.names = Set(names).sorted()
    }

    /// The scopes that a text lists, with spaces between them (RFC 6749 §3.3).
    public init(text: String) {
        self.init(text.split(separator: " ").map(String.init))
    }

    /// The names with spaces between them.
    public var text: String { names.joined(separator: " ") }

    /// Whether there is none.
    public var isEmpty: Bool { names.isEmpty }

    /// Whether all of `others` are among these.
    public func contains(_ others: Scopes) -> Bool { others.names.allSatisfy(names.contains) }

    /// Whether a name is one: visible ASCII but `"` and `\` (RFC 6749 §3.3).
    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }

    /// The names that are none.
    package var invalid: [String] { names.filter { !Self.isValid($0) } }
}

extension Scopes: ExpressibleByArrayLiteral {
    /// The scopes of those names.
    public init(arrayLiteral names: String...) { self.init(names) }
}

extension Scopes: CustomStringConvertible {
    /// The names with spaces between them.
    public var description: String { text }
}
