import Digests
import JSONCodec

/// Of what a revision is made: of another one's bytes, and of what was laid over them.
///
/// A revision that was put as a whole has none.
struct RevisionBasis: Codable, Equatable {
    /// The number of the revision of the same document that was patched, or rolled back to; nil where it
    /// was promoted.
    var revision: Int?
    /// The SHA-256 digest of the other revision's bytes, in 64 hexadecimal digits.
    var digest: String
    /// The digest of the operations that were laid over what was promoted, as text; nil where none were.
    var overrides: String?
    /// Who wrote those of them that the environment keeps; nil where it keeps none.
    var overriddenBy: Contributor?

    init(of base: RevisionInfo, to key: DocumentKey, from promotion: Promotion?) {
        revision = base.key == key ? base.number : nil
        digest = base.digest
        overrides = Self.digest(of: promotion?.operations ?? [])
        overriddenBy = promotion?.overriddenBy
    }

    init?(_ text: String) {
        guard let basis = try? JSON.decode(Self.self, from: text.utf8) else { return nil }
        self = basis
    }

    /// The digest of operations, nil where there are none.
    static func digest(of operations: [JSON]) -> String? {
        operations.isEmpty ? nil : Hexadecimal.sha256(JSON.array(operations).encoded())
    }

    var json: JSON {
        var members: JSON.Object = ["digest": .string(digest)]
        members["revision"] = revision.map { .number(JSON.Number($0)) }
        members["overrides"] = overrides.map(JSON.string)
        members["overriddenBy"] = overriddenBy?.json
        return .object(members)
    }
}

/// Bytes, and what was laid over them: where both are the same, what comes of it is.
struct LaidBytes: Hashable {
    /// The bytes' digest.
    let digest: String
    /// That of the operations; nil where there are none.
    let overrides: String?
}

extension RevisionBasis {
    /// What makes the same bytes each time; nil for a patch, which isn't kept.
    var laid: LaidBytes? {
        revision == nil ? LaidBytes(digest: digest, overrides: overrides) : nil
    }
}
