import JSONCodec

/// Where a promoted revision comes from.
package struct RevisionOrigin: Codable, Sendable, Equatable {
    /// The environment.
    package var environment: String
    /// The revision's number there.
    package var revision: Int
    /// Whether overrides were laid over it.
    package var isOverridden: Bool

    package init(environment: String, revision: Int, isOverridden: Bool) {
        self.environment = environment
        self.revision = revision
        self.isOverridden = isOverridden
    }

    /// Tells it in words: `From staging, revision 3, with overrides`.
    package var words: String {
        "From \(environment), revision \(revision)" + (isOverridden ? ", with overrides" : "")
    }

    private enum CodingKeys: String, CodingKey {
        case environment, revision
        case isOverridden = "overridden"
    }

    var json: JSON {
        [
            "environment": .string(environment), "revision": .number(JSON.Number(revision)),
            "overridden": .bool(isOverridden),
        ]
    }
}

/// How a revision comes from another environment.
struct Promotion {
    var origin: RevisionOrigin
    /// All operations that were laid over it, in their order.
    var operations: [JSON]
    /// Who wrote those that the environment keeps; nil where it has none.
    var overriddenBy: Contributor?

    /// As the audit tells it.
    var audited: JSON {
        guard var members = origin.json.object, !operations.isEmpty else { return origin.json }
        members["overriddenBy"] = overriddenBy?.json
        members["overrides"] = .array(operations)
        return .object(members)
    }
}

/// What a row of the audit says of where a revision comes from, as far as it is kept beside it.
struct AuditedOrigin: Codable, Equatable {
    var environment: String
    var revision: Int
    var overridden: Bool
    var overriddenBy: Contributor?
    /// All operations that were laid over it; nil where none were.
    var overrides: [JSON]?

    /// What is kept.
    var origin: RevisionOrigin {
        RevisionOrigin(environment: environment, revision: revision, isOverridden: overridden)
    }
}
