package import JSONCodec

/// A value of an input that is any JSON for its decoder: whoever takes it reads what it means, and
/// tells the place of what is wrong within.
package protocol JSONWrapper: Codable, Sendable, Equatable, SchemaDescribing {
    /// What was sent.
    var json: JSON { get }

    init(_ json: JSON)
}

extension JSONWrapper {
    /// Takes whatever JSON there is.
    package init(from decoder: any Decoder) throws {
        // Of a container, so that who follows this sees that it may be any value.
        self.init(try decoder.singleValueContainer().decode(JSON.self))
    }

    /// Writes the JSON.
    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
