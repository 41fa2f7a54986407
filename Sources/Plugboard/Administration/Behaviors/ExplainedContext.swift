package import JSONCodec

/// The context to explain; ``TargetingContext`` limits its properties.
package struct ExplainedContext: JSONWrapper {
    /// The properties, including a `targetingKey`.
    package var json: JSON

    package init(_ json: JSON) { self.json = json }

    /// An object; a schema can't express the limits on its size.
    package static var schema: JSON {
        [
            "type": "object", "properties": ["targetingKey": ["type": ["string", "null"]]],
            "examples": [["targetingKey": "user-42", "country": "LV"]],
        ]
    }
}
