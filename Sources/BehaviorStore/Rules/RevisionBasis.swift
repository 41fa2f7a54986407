import JSONCodec

/// What a revision is made of, as far as its origin doesn't tell.
struct RevisionBasis: Codable, Equatable {
    /// The number of the revision of the same document that was patched, or rolled back to; nil where it
    /// was put whole, or promoted.
    var revision: Int?
    /// Who wrote the overrides that were laid over what was promoted; nil where none were.
    var overriddenBy: Contributor?

    /// Nil where there is nothing to tell.
    init?(revision: Int?, overriddenBy: Contributor?) {
        guard revision != nil || overriddenBy != nil else { return nil }
        self.revision = revision
        self.overriddenBy = overriddenBy
    }

    init?(_ text: String) {
        guard let basis = try? JSON.decode(Self.self, from: text.utf8) else { return nil }
        self = basis
    }

    var json: JSON {
        var members: JSON.Object = [:]
        members["revision"] = revision.map { .number(JSON.Number($0)) }
        members["overriddenBy"] = overriddenBy?.json
        return .object(members)
    }
}
