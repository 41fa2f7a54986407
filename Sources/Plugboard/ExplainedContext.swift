package import JSONCodec

/// The context that an explanation is asked for, as it was sent: what there may be in it,
/// ``TargetingContext`` says.
package struct ExplainedContext: Codable, Sendable, Equatable {
    /// The properties, a `targetingKey` among them.
    package var json: JSON

    package init(_ json: JSON) { self.json = json }

    package init(from decoder: any Decoder) throws {
        // Of a container, so that who follows this sees that it may be any value.
        json = try decoder.singleValueContainer().decode(JSON.self)
    }

    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ExplainedContext: SchemaDescribing {
    /// An object; how much there may be in it is beyond a schema.
    package static var schema: JSON {
        [
            "type": "object", "properties": ["targetingKey": ["type": ["string", "null"]]],
            "examples": [["targetingKey": "user-42", "country": "LV"]],
        ]
    }
}
