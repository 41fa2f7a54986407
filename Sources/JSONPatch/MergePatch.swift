package import JSONCodec

/// JSON Merge Patch (RFC 7396): a document in which null removes a member.
package enum MergePatch {
    /// Applies a merge patch to a document, in time linear in both.
    ///
    /// Members preserve their order; new ones are appended. An array is replaced as a whole.
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
