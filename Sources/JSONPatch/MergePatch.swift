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

    /// Returns the merge patch between two documents; nil if none exists.
    ///
    /// A merge patch can't set a member to null, because null removes it (RFC 7396 §1).
    package static func difference(from old: JSON, to new: JSON) -> JSON? {
        let patch = changes(from: old, to: new)
        // In a conditional expression, nil would be JSON's null.
        guard apply(patch, to: old) == new else { return .none }
        return patch
    }

    private static func changes(from old: JSON, to new: JSON) -> JSON {
        guard case .object(let before) = old, case .object(let after) = new else { return new }
        var patch: JSON.Object = [:]
        for (name, _) in before where after[name] == nil { patch[name] = .null }
        for (name, value) in after {
            guard let previous = before[name] else {
                patch[name] = value
                continue
            }
            if previous != value { patch[name] = changes(from: previous, to: value) }
        }
        return .object(patch)
    }
}
