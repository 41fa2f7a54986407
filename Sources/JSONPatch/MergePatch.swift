package import JSONCodec

/// JSON Merge Patch (RFC 7396): a document in which null stands for what is to be removed.
package enum MergePatch {
    /// The document that a merge patch makes of another, in time linear in both.
    ///
    /// Members keep their places; new ones stand behind them. An array is replaced as a whole.
    package static func apply(_ patch: JSON, to target: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        let members = target.object ?? [:]
        var merged: JSON.Object = [:]
        for (name, value) in members {
            switch changes[name] {
            case .some(.null): break
            case .some(let change): merged[name] = apply(change, to: value)
            case .none: merged[name] = value
            }
        }
        for (name, change) in changes where change != .null && members[name] == nil {
            merged[name] = apply(change, to: .null)
        }
        return .object(merged)
    }
}
