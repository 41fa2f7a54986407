import JSONCodec

/// The bucketing key of a roll-out or a split, if it isn't the document's default one.
enum BucketKey {
    /// Joins a prefix and a context's value; falsy, so that no user matches, if the value is
    /// missing.
    static func text(_ prefix: String, _ value: JSON) -> JSON {
        ["if": [value, ["cat": [.string(prefix), value]]]]
    }
}
