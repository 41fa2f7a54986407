import JSONCodec

/// What is kept of a draft.
package struct DraftRecord: Codable, Equatable, Sendable {
    /// Who has approved of it.
    package var approvals: [Approval] = []
    /// Who wrote the overrides that were laid over it: an ``Author``'s number; nil where none were.
    package var overriddenBy: String?
    /// Who made parts of the drafts, or of the revision of another environment, that it is made of:
    /// numbers of ``Author``s; nil where that was its author alone.
    package var contributors: [String]?

    /// All who made something of it beside its author.
    var others: [String] { (overriddenBy.map { [$0] } ?? []) + (contributors ?? []) }

    /// An approval.
    package struct Approval: Codable, Equatable, Sendable {
        /// Who: an ``Author``'s number.
        package var by: String
        /// Their name.
        package var name: String
        /// When, in seconds since 1970.
        package var at: Int
    }

    init(overriddenBy: String? = nil, contributors: [String]? = nil) {
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
