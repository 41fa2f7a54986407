/// A value that doesn't match its type, with its location.
///
/// The message uses JSON's terms and no Swift types, so clients may see it.
public struct JSONTypeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The location as a JSON Pointer (RFC 6901); empty for the whole document.
    public var pointer: String
    /// The expectation: `expected a string`, `missing`, `out of range: 0 to 255`.
    public var message: String

    /// Creates an error from its parts.
    public init(pointer: String, message: String) {
        self.pointer = pointer
        self.message = message
    }

    init(path: [any CodingKey], message: String) {
        self.init(pointer: JSONPointer.text(path), message: message)
    }

    /// The pointer and the message: `/user: expected a string`.
    public var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}

/// The text of a JSON Pointer (RFC 6901).
package enum JSONPointer {
    /// Returns the pointer of a path.
    package static func text(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { pointer, key in
            pointer += "/" + (key.intValue.map(String.init) ?? escaped(key.stringValue))
        }
    }

    /// Returns a member's name as a pointer token: `~` as `~0` and `/` as `~1`.
    package static func escaped(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") })
        else { return name }
        // Compares scalars: a slash with a combining accent is a single other `Character`.
        return name.unicodeScalars.reduce(into: "") { token, scalar in
            switch scalar {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns the names and indexes of a pointer; nil if it is invalid.
    package static func tokens(_ pointer: String) -> [String]? {
        guard !pointer.isEmpty else { return [] }
        guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
        let tokens = pointer.unicodeScalars.dropFirst()
        return tokens.split(separator: "/", omittingEmptySubsequences: false).map { token in
            var name = String.UnicodeScalarView()
            var escape = false
            for scalar in token {
                if escape {
                    name.append(scalar == "1" ? "/" : scalar == "0" ? "~" : scalar)
                    escape = false
                } else if scalar == "~" {
                    escape = true
                } else {
                    name.append(scalar)
                }
            }
            return String(name)
        }
    }
}

/// A path component: a member's name or an element's index.
package enum PathKey: CodingKey {
    /// A member's name.
    case name(String)
    /// An element's index.
    case index(Int)

    package init(stringValue: String) { self = .name(stringValue) }

    package init(intValue: Int) { self = .index(intValue) }

    package var stringValue: String {
        switch self {
        case .name(let name): name
        case .index(let index): "Index \(index)"
        }
    }

    package var intValue: Int? {
        switch self {
        case .name: nil
        case .index(let index): index
        }
    }
}
