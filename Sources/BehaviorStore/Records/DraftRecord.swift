import JSONCodec

/// The stored record of a draft.
package struct DraftRecord: Codable, Equatable, Sendable {
    /// The approvals of the draft.
    package var approvals: [Approval] = []
    /// The author of the overrides that were applied to it; nil if there were none.
    package var overriddenBy: Contributor?
    /// The authors of its sources other than its own (``Lineage``); nil if there are none.
    package var contributors: [Contributor]?

    /// All authors of parts of it other than its own author.
    var others: [Contributor] { (overriddenBy.map { [$0] } ?? []) + (contributors ?? []) }

    /// The number of people that have approved it.
    var approverCount: Int { ContributorSet(approvals.map(\.person)).count }

    /// An approval.
    package struct Approval: Codable, Equatable, Sendable {
        /// The approver: an ``Author``'s number.
        package var by: String
        /// The approver's name.
        package var name: String
        /// The time of the approval, in seconds since 1970.
        package var at: Int
        /// The approver's client certificate; nil if another credential identified the approver.
        package var certificate: AuthorCertificate?

        init(by author: Author, _ certificate: AuthorCertificate?, at time: Int) {
            by = author.id
            name = author.name
            at = time
            self.certificate = certificate
        }

        /// Whether an author made it with the same token, or with the same certificate.
        func isMade(by id: String, _ certificate: AuthorCertificate?) -> Bool {
            by.hasSameBytes(as: id) && self.certificate == certificate
        }

        /// The approver.
        var person: Contributor { Contributor(by, name: name) }
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
