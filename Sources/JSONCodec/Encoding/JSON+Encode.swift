extension JSON {
    /// Encodes a value as JSON text, members sorted by the bytes of their names.
    ///
    /// Equal values have equal bytes, because members are sorted: `{"likes":1,"photo":42}`.
    ///
    /// - Throws: ``JSONTypeError`` if JSON can't represent a value, such as infinity, and errors of
    ///   the type's own code.
    public static func encode<T: Encodable>(_ value: T) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try fill(value) { arena in
            withUnsafeTemporaryAllocation(
                of: UInt8.self,
                capacity: arena.maximumLength
            ) { buffer in
                guard let start = buffer.baseAddress else { return }
                let count = arena.serialize(to: start)
                bytes = Array(UnsafeBufferPointer(start: start, count: count))
            }
        }
        return bytes
    }

    /// Appends a value as JSON text to the bytes; on failure the bytes don't change.
    package static func encode<T: Encodable>(_ value: T, into bytes: inout [UInt8]) throws {
        bytes += try encode(value)
    }

    /// Encodes a value as a JSON value.
    ///
    /// - Throws: as ``encode(_:)`` does, and ``JSONError`` if the value nests deeper than 1,024.
    public init<T: Encodable>(encoding value: T) throws {
        if let value = value as? JSON {
            self = value
            return
        }
        let bytes = try JSON.encode(value)
        self = try bytes.withUnsafeBytes { bytes in
            try JSON(parsing: bytes, depth: Self.maximumDepth)
        }
    }

    /// Encodes a value into an arena and calls `body`; a small arena is on the stack.
    ///
    /// `body` returns nothing: a generic result would look up its metadata at run time.
    private static func fill<T: Encodable>(_ value: T, _ body: (Arena) -> Void) throws {
        // The standard library guarantees stack allocation up to 1,024 bytes each.
        try withUnsafeTemporaryAllocation(of: Arena.Node.self, capacity: 32) { nodes in
            try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1_024) { text in
                var arena = Arena(nodes: nodes, text: text)
                defer { if !isKnownUniquelyReferenced(&arena) { arena.detach() } }
                do {
                    try arena.encode(value, at: 0)
                } catch let error as EncodingError {
                    throw error.translated
                }
                if let problem = arena.problem { throw problem }
                body(arena)
            }
        }
    }
}

extension EncodingError {
    /// The error as this module reports it.
    fileprivate var translated: JSONTypeError {
        guard case .invalidValue(let value, let context) = self else {
            return JSONTypeError(pointer: "", message: "not a valid value")
        }
        if let known = context.underlyingError as? JSONTypeError { return known }
        let mayBeShown = namesNoType(context.debugDescription, Swift.type(of: value))
        return JSONTypeError(
            path: context.codingPath,
            message: mayBeShown ? context.debugDescription : "not a valid value"
        )
    }
}
