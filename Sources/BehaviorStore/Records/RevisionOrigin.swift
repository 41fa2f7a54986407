import JSONCodec

/// The origin of a promoted revision.
package struct RevisionOrigin: Codable, Sendable, Equatable {
    /// The source environment.
    package var environment: String
    /// The revision's number there.
    package var revision: Int
    /// Whether overrides were applied to it.
    package var isOverridden: Bool

    package init(environment: String, revision: Int, isOverridden: Bool) {
        self.environment = environment
        self.revision = revision
        self.isOverridden = isOverridden
    }

    /// A description: `From staging, revision 3, with overrides`.
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

/// The promotion of a revision from another environment.
struct Promotion {
    var origin: RevisionOrigin
    /// All operations applied to it, in their order.
    var operations: [JSON]
    /// The author of the environment's own overrides; nil if it has none.
    var overriddenBy: Contributor?

    /// The promotion's JSON in an audit row.
    var audited: JSON {
        guard var members = origin.json.object, !operations.isEmpty else { return origin.json }
        members["overriddenBy"] = overriddenBy?.json
        members["overrides"] = .array(operations)
        return .object(members)
    }
}

/// The origin of a revision as an audit row has it.
struct AuditedOrigin: Codable, Equatable {
    var environment: String
    var revision: Int
    var overridden: Bool
    var overriddenBy: Contributor?
    /// All operations applied to it; nil if there were none.
    var overrides: [JSON]?

    /// The stored part.
    var origin: RevisionOrigin {
        RevisionOrigin(environment: environment, revision: revision, isOverridden: overridden)
    }
}
