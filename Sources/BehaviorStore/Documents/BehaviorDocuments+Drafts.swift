/// A draft that can still go live.
package struct WaitingDraft: Sendable {
    /// The revision's metadata.
    package var info: RevisionInfo
    /// The stored record, with all approvals.
    package var draft: DraftRecord
    /// How many approvals it needs and has.
    package var approvals: ApprovalState
    /// Its pending schedules, the next one first.
    package var schedules: [Schedule]
}

extension BehaviorDocuments {
    /// The most waiting drafts in a list.
    package static let maximumDrafts = 1_000

    /// Returns the drafts that wait, by environment, name and number.
    ///
    /// A draft waits until it goes live, is discarded, or a later revision goes live. Without an
    /// environment or a name the list has those of all of them.
    /// - Returns: the first `limit` drafts.
    package func waitingDrafts(
        in environment: String? = nil,
        named name: String? = nil,
        limit: Int = maximumDrafts
    ) async throws -> LimitedList<WaitingDraft> {
        if let environment { try await checkExists(environment) }
        let live = try await backend.documents()
            .reduce(into: [DocumentKey: Int]()) { $0[$1.key] = $1.live ?? 0 }
        var waiting: [(key: DocumentKey, number: Int, draft: DraftRecord)] = []
        for record in try await backend.records(.draft, environment: environment, name: name) {
            guard let key = DocumentKey(record.key.name, in: record.key.environment),
                let number = Int(record.key.item), number > live[key] ?? 0
            else { continue }
            let draft = try record.read(DraftRecord.init)
            if draft.discarded == nil { waiting.append((key, number, draft)) }
        }
        waiting.sort { ($0.key, $0.number) < ($1.key, $1.number) }
        // Few queries for all drafts, instead of some for each.
        let schedules = try await schedules(in: environment, named: name)
        var rules: [String: EnvironmentRules] = [:]
        var infos = RevisionInfos(backend)
        var drafts: [WaitingDraft] = []
        for (key, number, draft) in waiting.prefix(limit).reversed() {
            guard let info = try await infos.info(of: Lineage.Member(number, of: key)) else {
                continue
            }
            let known = rules[key.environment]
            let own = if let known { known } else { try await self.rules(of: key.environment) }
            rules[key.environment] = own
            drafts.append(
                WaitingDraft(
                    info: info,
                    draft: draft,
                    approvals: try await approvals(of: draft, needed: own.approvals),
                    schedules: schedules[key]?.filter { $0.plan.revision == number } ?? []
                )
            )
        }
        return LimitedList(elements: drafts.reversed(), isComplete: waiting.count <= limit)
    }
}
