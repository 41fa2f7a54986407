extension JSON {
    /// Parses one JSON document.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text, without a byte order mark.
    ///   - depth: the maximum nesting depth of arrays and objects, at most 1,024.
    /// - Throws: an error with its location if the text isn't JSON. Duplicate names are rejected
    ///   too (RFC 7493).
    public init(
        parsing bytes: some Sequence<UInt8>,
        depth: Int = JSON.defaultDepth
    ) throws(JSONError) {
        let value: Result<JSON, JSONError> = contiguous(bytes) { bytes in
            do throws(JSONError) {
                return .success(try JSON(parsing: bytes, depth: depth))
            } catch {
                return .failure(error)
            }
        }
        self = try value.get()
    }

    /// Parses one JSON document in place.
    package init(
        parsing bytes: UnsafeRawBufferPointer,
        depth: Int = JSON.defaultDepth
    ) throws(JSONError) {
        self = try Tape(parsing: bytes, depth: depth).json(at: 0)
    }

    /// Decodes a value from one JSON document.
    ///
    /// - Throws: ``JSONError`` if the text isn't JSON. ``JSONTypeError`` if the document doesn't
    ///   match the type. Errors of the type's own code.
    public static func decode<T: Decodable>(
        _ type: T.Type,
        from bytes: some Sequence<UInt8>
    ) throws -> T {
        try decode(type, from: bytes, depth: defaultDepth)
    }

    /// Decodes a value with another depth limit of at most 1,024.
    package static func decode<T: Decodable>(
        _ type: T.Type,
        from bytes: some Sequence<UInt8>,
        depth: Int
    ) throws -> T {
        try contiguous(bytes) { bytes in Result { try decode(type, from: bytes, depth: depth) } }
            .get()
    }

    /// Decodes a value from one JSON document in place.
    ///
    /// It uses no closure and no `Result`: unspecialized, each would look up its metadata at run
    /// time. That took half of a small document's time.
    package static func decode<T: Decodable>(
        _ type: T.Type,
        from bytes: UnsafeRawBufferPointer,
        depth: Int = defaultDepth
    ) throws -> T {
        var tape = try Tape(parsing: bytes, depth: depth)
        defer { Tape.end(&tape) }
        return try tape.root(type)
    }

    /// Decodes a value from this one.
    ///
    /// - Throws: ``JSONTypeError`` if the value doesn't match the type, and errors of the type's
    ///   own code.
    public func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try encoded().withUnsafeBytes { bytes in
            var tape = try Tape(parsing: bytes, depth: Self.maximumDepth)
            defer { Tape.end(&tape) }
            return try tape.root(type)
        }
    }

    /// Returns the place of a JSON Pointer's value, or of the last value on its path; nil if the
    /// text isn't JSON.
    package static func place(of pointer: String, in bytes: UnsafeRawBufferPointer) -> Place? {
        places(of: [pointer], in: bytes)?.first
    }

    /// Returns the places of several values, in the pointers' order; the text is parsed once.
    package static func places(
        of pointers: [String],
        in bytes: UnsafeRawBufferPointer
    ) -> [Place]? {
        guard let tape = try? Tape(parsing: bytes, depth: defaultDepth) else { return nil }
        return pointers.map { pointer in
            var node = 0
            for token in JSONPointer.tokens(pointer) ?? [] {
                guard let child = tape.child(token, of: node) else { break }
                node = child
            }
            let quote = tape.nodes[node].kind == .string ? 1 : 0
            return Place(of: Int(tape.nodes[node].start) - quote, in: bytes)
        }
    }
}

extension Tape {
    /// Parses a document.
    convenience init(parsing bytes: UnsafeRawBufferPointer, depth: Int) throws(JSONError) {
        self.init(bytes)
        var parser = TapeParser(self, depth: depth)
        try parser.document()
    }

    /// Ends the call that lent the tape its bytes; a decoder that is still in use copies them.
    static func end(_ tape: inout Tape) {
        if !isKnownUniquelyReferenced(&tape) { tape.detach() }
    }

    /// Decodes the whole document.
    func root<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            return try decode(type, at: 0)
        } catch let error as DecodingError {
            throw error.translated
        }
    }

    /// Returns the value of one JSON Pointer token.
    fileprivate func child(_ token: String, of node: Int) -> Int? {
        switch nodes[node].kind {
        case .object: return find(token, in: node)
        case .array:
            guard let place = Int(token), 0..<Int(nodes[node].length) ~= place else { return nil }
            return (0..<place).reduce(node + 1) { element, _ in Int(nodes[element].next) }
        default: return nil
        }
    }
}

/// Calls `body` with contiguous bytes: in place if possible, or else with a copy.
func contiguous<R>(
    _ bytes: some Sequence<UInt8>,
    _ body: (UnsafeRawBufferPointer) -> R
) -> R {
    let result = bytes.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
    return result ?? Array(bytes).withUnsafeBytes(body)
}
