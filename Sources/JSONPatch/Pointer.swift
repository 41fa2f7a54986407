package import JSONCodec

/// A JSON Pointer (RFC 6901): the path to a value in a document.
package struct Pointer: Sendable, CustomStringConvertible {
    /// The unescaped names and indexes; none for the whole document.
    package var tokens: [String]

    /// The pointer to the whole document.
    package static let root = Pointer(tokens: [])

    /// Creates a pointer from its tokens.
    package init(tokens: [String]) { self.tokens = tokens }

    /// Parses a pointer's text (RFC 6901, sections 3 and 4).
    ///
    /// - Throws: an error if a non-empty text doesn't begin with `/`, or a `~` isn't followed by 0
    ///   or 1.
    package init(_ text: String) throws(PointerError) {
        tokens = []
        // Parsed as bytes: a slash with a combining accent is a single other `Character`.
        var bytes = text.utf8.makeIterator()
        guard let first = bytes.next() else { return }
        guard first == UInt8(ascii: "/") else {
            throw PointerError(message: "a JSON Pointer is empty or begins with /")
        }
        var token: [UInt8] = []
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "/"):
                tokens.append(String(decoding: token, as: UTF8.self))
                token.removeAll(keepingCapacity: true)
            case UInt8(ascii: "~"):
                switch bytes.next() {
                case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
                case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
                default: throw PointerError(message: "expected 0 or 1 after ~ in a JSON Pointer")
                }
            default: token.append(byte)
            }
        }
        tokens.append(String(decoding: token, as: UTF8.self))
    }

    /// The pointer's text.
    package var description: String { Self.text(tokens[...]) }

    static func text(_ tokens: ArraySlice<String>) -> String {
        tokens.reduce(into: "") { $0 += "/" + JSONPointer.escaped($1) }
    }

    /// Whether the other points to the same value or to a descendant of it.
    func isPrefix(of other: Pointer) -> Bool {
        tokens.count <= other.tokens.count
            && zip(tokens, other.tokens).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Returns a token's index; nil if it isn't digits without a leading zero.
    static func index(_ token: String) -> Int? {
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
            token.utf8.first != UInt8(ascii: "0") || token.utf8.count == 1
        else { return nil }
        return Int(token)
    }

    /// Returns the value that it points to.
    ///
    /// - Throws: a conflict with the pointer of the first missing value.
    package func value(in document: JSON) throws(PatchError) -> JSON {
        var value = document
        for place in tokens.indices { value = try value.child(tokens[...place]) }
        return value
    }
}

/// A text that isn't a JSON Pointer.
package struct PointerError: Error, Hashable, Sendable {
    /// The description of the error.
    package var message: String
}

extension JSON {
    /// Returns the element or member with the last token's name.
    func child(_ tokens: ArraySlice<String>) throws(PatchError) -> JSON {
        switch self {
        case .array(let elements): return try elements[elements.place(tokens)]
        case .object(let members):
            guard let token = tokens.last, let member = members[token] else {
                throw .conflict(tokens, "there is no such member")
            }
            return member
        case .null, .bool, .number, .string:
            throw .conflict(tokens, "\(kind) has no members")
        }
    }

    /// The type of the value, in words.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension [JSON] {
    /// Returns the index of an existing element.
    func place(_ tokens: ArraySlice<String>) throws(PatchError) -> Int {
        guard let token = tokens.last, let index = Pointer.index(token) else {
            throw .conflict(tokens, "expected an index, an integer without a leading zero")
        }
        guard index < count else { throw .conflict(tokens, "the array has \(count) elements") }
        return index
    }
}
