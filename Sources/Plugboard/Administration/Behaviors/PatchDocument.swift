import BehaviorStore
package import JSONCodec
import JSONPatch

/// A JSON Patch (RFC 6902) as part of an input.
///
/// The action parses the operations, so that errors have their place.
package struct PatchDocument: JSONWrapper {
    /// The patch's JSON, not yet checked.
    package var json: JSON

    /// Creates a patch from JSON.
    package init(_ json: JSON) { self.json = json }

    /// The schema of a patch, with the limit on the operations of overrides.
    package static var schema: JSON {
        var schema = Patch.schema.object ?? [:]
        schema["maxItems"] = .number(JSON.Number(BehaviorOverrides.maximumCount))
        return .object(schema)
    }
}
