import BehaviorStore
package import JSONCodec
import JSONPatch

/// A JSON Patch (RFC 6902) as it travels within an input: whoever takes it reads its operations, and
/// tells the place of what is wrong with them.
package struct PatchDocument: JSONWrapper {
    /// The patch's JSON, which may be none yet.
    package var json: JSON

    /// A patch of that JSON.
    package init(_ json: JSON) { self.json = json }

    /// A patch of as many operations as overrides may have.
    package static var schema: JSON {
        var schema = Patch.schema.object ?? [:]
        schema["maxItems"] = .number(JSON.Number(BehaviorOverrides.greatestCount))
        return .object(schema)
    }
}
