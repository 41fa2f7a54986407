import JSONCodec

/// What is kept of a draft.
package struct DraftRecord: Codable, Equatable, Sendable {
    /// Who has approved of it.
    package var approvals: [Approval] = []
    /// Who wrote the overrides that were laid over it; nil where none were.
    package var overriddenBy: Contributor?
    /// Who made what it is made of beside its author (``Lineage``); nil where nobody did.
    package var contributors: [Contributor]?

    /// All who made something of it beside its author.
    var others: [Contributor] { (overriddenBy.map { [$0] } ?? []) + (contributors ?? []) }

    /// An approval.
    package struct Approval: Codable, Equatable, Sendable {
        /// Who: an ``Author``'s number.
        package var by: String
        /// Their name.
        package var name: String
        /// When, in seconds since 1970.
        package var at: Int
    }

    init(overriddenBy: Contributor? = nil, contributors: [Contributor]? = nil) {
        self.overriddenBy = overriddenBy
        self.contributors = contributors
    }

    init?(_ text: String) {
        guard let draft = try? JSON.decode(Self.self, from: text.utf8) else { return nil }
        self = draft
    }

    var text: String {
        (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
