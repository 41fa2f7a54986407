extension JSON {
    /// Reads one JSON document.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text, without a byte order mark.
    ///   - depth: how deep arrays and objects may nest, at most 1,024.
    /// - Throws: what is no JSON and where. Names given twice are refused too (RFC 7493).
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

    /// Reads one JSON document in place.
    package init(
        parsing bytes: UnsafeRawBufferPointer,
        depth: Int = JSON.defaultDepth
    ) throws(JSONError) {
        self = try Tape(parsing: bytes, depth: depth).json(at: 0)
    }

    /// Decodes a value from one JSON document.
    ///
    /// - Throws: ``JSONError`` where the text is no JSON, ``JSONTypeError`` where the document is
    ///   not what the type needs, and what the type's own code throws.
    public static func decode<T: Decodable>(
        _ type: T.Type,
        from bytes: some Sequence<UInt8>
    ) throws -> T {
        try decode(type, from: bytes, depth: defaultDepth)
    }

    /// The same, where arrays and objects may nest so deep: at most 1,024.
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
    /// No closure and no `Result` stands in the way: unspecialized, each would look its metadata
    /// up at run time, which took half of a small document's time.
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
    /// - Throws: ``JSONTypeError`` where this is not what the type needs, and what the type's own
    ///   code throws.
    public func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try encoded().withUnsafeBytes { bytes in
            var tape = try Tape(parsing: bytes, depth: Self.greatestDepth)
            defer { Tape.end(&tape) }
            return try tape.root(type)
        }
    }

    /// The place of the value that a JSON Pointer leads to, or of the last one on the way; nil
    /// where the text is no JSON.
    package static func place(of pointer: String, in bytes: UnsafeRawBufferPointer) -> Place? {
        places(of: [pointer], in: bytes)?.first
    }

    /// The places of several values, in the pointers' order; the text is read once.
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

    /// Ends the call that lent the tape its bytes: should a decoder be kept, it copies them.
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

    /// The value that one token of a JSON Pointer leads to.
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

/// Hands the bytes over in place where they lie in one piece, and copied where they don't.
func contiguous<R>(
    _ bytes: some Sequence<UInt8>,
    _ body: (UnsafeRawBufferPointer) -> R
) -> R {
    let result = bytes.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
    return result ?? Array(bytes).withUnsafeBytes(body)
}
