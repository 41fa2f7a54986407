import JSONCodec

/// The stored record of a draft.
package struct DraftRecord: Codable, Equatable, Sendable {
    /// The approvals of the draft.
    package var approvals: [Approval] = []
    /// The author of the overrides that were applied to it; nil if there were none.
    package var overriddenBy: Contributor?
    /// The authors of its sources other than its own (``Lineage``); nil if there are none.
    package var contributors: [Contributor]?
    /// The end of a discarded draft; nil if it can still go live.
    package var discarded: Discard?

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
        /// The approver's comment; nil if there is none.
        package var message: String?

        init(
            by author: Author,
            _ certificate: AuthorCertificate?,
            at time: Int,
            message: String? = nil
        ) {
            by = author.id
            name = author.name
            at = time
            self.certificate = certificate
            self.message = message
        }

        /// Whether an author made it with the same token, or with the same certificate.
        func isMade(by id: String, _ certificate: AuthorCertificate?) -> Bool {
            by.hasSameBytes(as: id) && self.certificate == certificate
        }

        /// The approver.
        var person: Contributor { Contributor(by, name: name) }
    }

    /// The end of a draft that can't go live.
    package struct Discard: Codable, Equatable, Sendable {
        /// The author: an ``Author``'s number.
        package var by: String
        /// The author's name; may be empty.
        package var name: String
        /// The time, in seconds since 1970.
        package var at: Int
        /// The reason; nil if none was given.
        package var message: String?

        init(by author: Author, at time: Int, message: String?) {
            by = author.id
            name = author.name
            at = time
            self.message = message
        }
    }

    /// Rejects a change of a discarded draft.
    ///
    /// - Throws: ``BehaviorStoreError/conflict(_:)``.
    func rejectIfDiscarded(_ number: Int) throws(BehaviorStoreError) {
        guard let discarded else { return }
        let author = discarded.name.isEmpty ? discarded.by : discarded.name
        let reason = discarded.message.map { ": \($0)" } ?? ""
        throw .conflict("draft \(number) was discarded by \(author)\(reason)")
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
