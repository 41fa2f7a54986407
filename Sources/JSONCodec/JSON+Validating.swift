extension JSON {
    /// Decodes a value from one JSON document, and sees to it that it keeps its type's contract:
    /// what a server does with the body of a request.
    ///
    /// ``Constrained`` types keep their constraints wherever they stand in the document, and what is
    /// missing has its default. ``decode(_:from:)`` looks at the types alone: it is for what this
    /// process, or one like it, has written.
    ///
    /// - Throws: ``JSONError`` where the text is no JSON, ``JSONTypeErrors`` with all that is wrong
    ///   where the document is not what the type asks for, and what the type's own code throws.
    public static func decode<T: Decodable & SendableMetatype>(
        validating type: T.Type,
        from bytes: some Sequence<UInt8>
    ) throws -> T {
        let contract = DecodingContract.of(type)
        return try contiguous(bytes) { bytes in
            Result {
                // To a request a body that isn't there is an empty object; a text has to be JSON.
                guard !bytes.isEmpty else { return try decode(type, from: bytes) }
                return try decode(
                    type,
                    from: bytes,
                    text: [],
                    keeping: contract,
                    in: DecodingRoom()
                )
            }
        }.get()
    }
}
