extension JSON {
    /// Decodes a value from one JSON document and checks its type's contract, like a server does
    /// with a request's body.
    ///
    /// ``Constrained`` types are checked anywhere in the document, and missing members have their
    /// defaults. Unknown members are ignored. ``decode(_:from:)`` checks only types: use it for
    /// documents from a trusted process.
    ///
    /// - Throws: ``JSONError`` if the text isn't JSON. ``JSONTypeErrors`` with all errors if the
    ///   document doesn't match the type. Errors of the type's own code.
    public static func decode<T: Decodable & SendableMetatype>(
        validating type: T.Type,
        from bytes: some Sequence<UInt8>
    ) throws -> T {
        let contract = DecodingContract.of(type)
        return try contiguous(bytes) { bytes in
            Result {
                // A request without a body is an empty object, but an empty text isn't JSON.
                guard !bytes.isEmpty else { return try decode(type, from: bytes) }
                return try decode(
                    type,
                    from: bytes,
                    text: [],
                    backend: contract,
                    in: ReusableTape()
                )
            }
        }.get()
    }
}
