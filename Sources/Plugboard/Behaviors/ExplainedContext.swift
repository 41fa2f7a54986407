package import JSONCodec

/// The context that an explanation is asked for, as it was sent: what there may be in it,
/// ``TargetingContext`` says.
package struct ExplainedContext: JSONWrapper {
    /// The properties, a `targetingKey` among them.
    package var json: JSON

    package init(_ json: JSON) { self.json = json }

    /// An object; how much there may be in it is beyond a schema.
    package static var schema: JSON {
        [
            "type": "object", "properties": ["targetingKey": ["type": ["string", "null"]]],
            "examples": [["targetingKey": "user-42", "country": "LV"]],
        ]
    }
}
