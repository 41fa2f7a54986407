public import JSONCodec

extension JSON {
    /// Reads a view of one JSON document, in one pass that converts only what the view checks.
    ///
    /// - Throws: ``JSONError`` if the text isn't JSON. ``ViewError`` with all problems of the members
    ///   that the view names.
    public static func decode<View: JSONView>(
        _ type: View.Type,
        from bytes: some Sequence<UInt8>
    ) throws -> View {
        try View(ViewContent(parsing: bytes))
    }

    /// Decodes a response, as a view if its type is one.
    static func decodeResponse<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8]
    ) throws -> Value {
        if let type = type as? any JSONView.Type, let view = try decode(type, from: bytes) as? Value
        {
            return view
        }
        if let type = type as? any LenientView.Type,
            let view = try type.init(lenient: ViewContent(parsing: bytes)) as? Value
        {
            return view
        }
        return try decode(type, from: bytes)
    }
}

/// A ``Lenient`` view of any type.
private protocol LenientView {
    init(lenient content: ViewContent)
}

extension Lenient: LenientView {
    fileprivate init(lenient content: ViewContent) { self = View.lenient(content) }
}
