import JSONCodec

/// The bucketing key of a rollout or a split, if it isn't the document's default one.
enum BucketKey {
    /// Joins a prefix and a text; null if the text is missing or empty, so that no user matches.
    ///
    /// A `fallback` replaces a missing text.
    static func text(_ prefix: String, _ value: JSON, orElse fallback: JSON? = nil) -> JSON {
        let prefix = JSON.string(prefix)
        var branches: [JSON] = [value, ["cat": [prefix, value]]]
        if let fallback { branches += [fallback, ["cat": [prefix, fallback]]] }
        return ["if": .array(branches)]
    }
}
