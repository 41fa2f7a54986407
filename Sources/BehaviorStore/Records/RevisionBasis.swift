import Digests
import JSONCodec

/// The source of a revision: another revision's bytes, and the overrides applied to them.
///
/// A revision that was put whole has none.
struct RevisionBasis: Codable, Equatable {
    /// The number of the patched or rolled back revision of the same document; nil after a
    /// promotion.
    var revision: Int?
    /// The SHA-256 digest of the source's bytes, in 64 hexadecimal digits.
    var digest: String
    /// The digest of the overrides applied in a promotion, as text; nil if there were none.
    var overrides: String?
    /// The author of the environment's own overrides; nil if it has none.
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

    /// The digest of operations; nil if there are none.
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

/// The digests of bytes and overrides: equal values give equal results.
struct SourceDigests: Hashable {
    /// The bytes' digest.
    let digest: String
    /// The operations' digest; nil if there are none.
    let overrides: String?
}

extension RevisionBasis {
    /// The inputs that reproduce the revision's bytes; nil for a patch, which isn't stored.
    var laid: SourceDigests? {
        revision == nil ? SourceDigests(digest: digest, overrides: overrides) : nil
    }
}
