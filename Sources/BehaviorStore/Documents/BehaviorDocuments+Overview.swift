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
    /// - Returns: at most ``maximumOverview`` documents.
    package func overview(in environment: String? = nil) async throws -> [DocumentOverview] {
        if let environment { try await checkExists(environment) }
        let now = clock() ?? time(nil)
        let drafts = Dictionary(grouping: try await waitingDrafts(in: environment)) { $0.info.key }
        let allSchedules = try await schedules(in: environment, named: nil)
        var overview: [DocumentOverview] = []
        for state in try await backend.documents()
        where environment == nil || state.key.environment == environment {
            guard overview.count < Self.maximumOverview else { break }
            var schedules: [(schedule: Schedule, condition: String?)] = []
            for schedule in allSchedules[state.key] ?? [] {
                schedules.append((schedule, try await condition(of: schedule)))
            }
            let live = try await live(of: state)
            overview.append(
                DocumentOverview(
                    state: state,
                    live: live?.info,
                    age: state.since.map { max(0, now - $0) },
                    rollouts: live.map { Self.rollouts(in: $0.bytes) } ?? [],
                    drafts: drafts[state.key] ?? [],
                    schedules: schedules
                )
            )
        }
        return overview
    }

    private func live(of state: DocumentState) async throws -> StoredRevision? {
        guard let number = state.live else { return nil }
        return try await backend.revision(number, of: state.key)
    }

    private static func rollouts(in bytes: [UInt8]) -> [Rollout] {
        // Bytes that can't be parsed are found by the audit's check.
        (try? JSON(parsing: bytes)).map(Rollout.all) ?? []
    }
}
