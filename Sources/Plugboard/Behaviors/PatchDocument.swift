import BehaviorStore
package import JSONCodec
import JSONPatch

/// A JSON Patch (RFC 6902) as it travels within an input: whoever takes it reads its operations, and
/// tells the place of what is wrong with them.
package struct PatchDocument: Codable, Sendable, Equatable, SchemaDescribing {
    /// The patch's JSON, which may be none yet.
    package var json: JSON

    /// A patch of that JSON.
    package init(_ json: JSON) { self.json = json }

    /// Takes whatever JSON there is.
    package init(from decoder: any Decoder) throws {
        // Of a container, so that who follows this sees that it may be any value.
        json = try decoder.singleValueContainer().decode(JSON.self)
    }

    /// Writes the JSON.
    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    /// A patch of as many operations as overrides may have.
    package static var schema: JSON {
        var schema = Patch.schema.object ?? [:]
        schema["maxItems"] = .number(JSON.Number(BehaviorOverrides.greatestCount))
        return .object(schema)
    }
}
