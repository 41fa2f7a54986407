import Glibc
import JSONCodec

/// The state of a document in an environment at one time.
package struct DocumentOverview: Sendable {
    /// The document's state.
    package var state: DocumentState
    /// The live revision; nil if none is live.
    package var live: RevisionInfo?
    /// The seconds since the live revision went live; nil if none is live.
    package var age: Int?
    /// The shares of users that the live revision's rules select.
    package var rollouts: [Rollout]
    /// The drafts that wait.
    package var drafts: [WaitingDraft]
    /// The pending schedules, the next one first, each with its condition if something is missing.
    package var schedules: [(schedule: Schedule, condition: String?)]

    /// The age from which a document counts as unchanged: 30 days.
    package static let unchangedAge = 30 * 86_400

    /// Whether no revision went live for ``unchangedAge``.
    package var isUnchanged: Bool { age.map { $0 >= Self.unchangedAge } ?? false }
}

extension BehaviorDocuments {
    /// The most documents in an overview.
    package static let maximumOverview = 1_000

    /// Returns the states of all documents, by environment and name.
    ///
    /// Without an environment it has those of all environments.
    /// - Returns: at most ``maximumOverview`` documents, with at most ``maximumDrafts`` drafts in all.
    package func overview(
        in environment: String? = nil
    ) async throws -> LimitedList<DocumentOverview> {
        if let environment { try await checkExists(environment) }
        let now = clock() ?? time(nil)
        let waiting = try await waitingDrafts(in: environment)
        let drafts = Dictionary(grouping: waiting.elements) { $0.info.key }
        let allSchedules = try await schedules(in: environment, named: nil)
        let states = try await backend.documents()
            .filter { environment == nil || $0.key.environment == environment }
        var overview: [DocumentOverview] = []
        for state in states.prefix(Self.maximumOverview) {
            var schedules: [(schedule: Schedule, condition: String?)] = []
            for schedule in allSchedules[state.key] ?? [] {
                schedules.append((schedule, try await condition(of: schedule)))
            }
            let live = try await summary(of: state)
            overview.append(
                DocumentOverview(
                    state: state,
                    live: live?.info,
                    age: state.since.map { max(0, now - $0) },
                    rollouts: live?.rollouts ?? [],
                    drafts: drafts[state.key] ?? [],
                    schedules: schedules
                )
            )
        }
        return LimitedList(
            elements: overview,
            isComplete: waiting.isComplete && states.count <= Self.maximumOverview
        )
    }

    /// Returns the summary of the live revision; nil if none is live.
    private func summary(of state: DocumentState) async throws -> LiveSummary? {
        guard let number = state.live else { return nil }
        let identity = RevisionMemory<LiveSummary?>.Identity.stored(number, since: state.since)
        return try await summaries.value(of: identity, at: state.key) {
            try await backend.revision(number, of: state.key).map(LiveSummary.init)
        }
    }
}

/// The parts of a live revision that an overview has.
struct LiveSummary: Sendable {
    var info: RevisionInfo
    var rollouts: [Rollout]

    init(_ revision: StoredRevision) {
        info = revision.info
        // Bytes that can't be parsed are found by the audit's check.
        rollouts = (try? JSON(parsing: revision.bytes)).map(Rollout.all) ?? []
    }

    /// The size in memory, about.
    var size: Int {
        rollouts.reduce(400 + info.message.utf8.count) { size, share in
            size + 64 + share.place.utf8.count + (share.value?.utf8.count ?? 0)
        }
    }
}
