package import JSONCodec

/// A member of an input that the decoder accepts as any JSON.
///
/// The action interprets it, and reports the location of errors in it.
package protocol JSONWrapper: Codable, Sendable, Equatable, SchemaDescribing {
    /// The JSON as received.
    var json: JSON { get }

    init(_ json: JSON)
}

extension JSONWrapper {
    /// Accepts any JSON.
    package init(from decoder: any Decoder) throws {
        // Through a container, so that schema inspection sees that any value is allowed.
        self.init(try decoder.singleValueContainer().decode(JSON.self))
    }

    /// Writes the JSON.
    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
