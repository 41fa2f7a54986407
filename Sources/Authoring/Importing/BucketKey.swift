import JSONCodec

/// What users are told apart by, where it isn't a document's own key.
enum BucketKey {
    /// A text followed by what a context has; nothing, and so nobody's, where it has nothing there.
    static func text(_ prefix: String, _ value: JSON) -> JSON {
        ["if": [value, ["cat": [.string(prefix), value]]]]
    }
}
