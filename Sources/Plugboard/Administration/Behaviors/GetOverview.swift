import BehaviorStore
import HTTPSyntax
package import Plug
package import PlugHTTP

/// Returns what is live, waits and is scheduled, for each document and environment.
package class GetOverview: Action<GetOverview.Input, GetOverview.Output>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The environment; by default all of them.
        package var environment: String?

        package init(environment: String? = nil) { self.environment = environment }
    }

    package struct Output: Codable, Sendable, Equatable {
        /// The documents, by environment and name.
        package var documents: [OverviewReport]
        /// Whether it has all documents and drafts; false if they exceed the action's limits.
        package var isComplete: Bool
    }

    package static var path: String { "/overview" }
    package static var scopes: Scopes { .readBehaviors }
}

/// A document's state in an environment.
package struct OverviewReport: Codable, Sendable, Equatable {
    /// The document's name.
    package var name: String
    /// The environment.
    package var environment: String
    /// The newest revision's number.
    package var latest: Int
    /// The live revision's number; nil if none is live.
    package var live: Int?
    /// When it went live, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var since: String?
    /// The days since it went live.
    package var days: Int?
    /// Whether no revision went live for 30 days.
    package var unchanged: Bool
    /// The live revision's author: a token's number.
    package var author: String?
    /// The author's name, if given.
    package var authorName: String?
    /// The live revision's message, if given.
    package var message: String?
    /// The shares of users that the live revision's rules select.
    package var rollouts: [RolloutReport]
    /// The drafts that wait.
    package var drafts: [DraftReport]
    /// The pending schedules, the next one first.
    package var schedules: [ScheduleReport]
}

/// A share of users that a rule selects.
package struct RolloutReport: Codable, Sendable, Equatable {
    /// The rule's place: a module, a module and its action, or a segment.
    package var place: String
    /// The percentage of users.
    package var percent: Double
    /// The value of a part of a split; nil for a rollout.
    package var value: String?
}

extension GetOverview.Input: Constrained {
    package static var constraints: Constraints { ["environment": [.name]] }
}

extension ExposedAction {
    /// The action for the overview.
    static func overview(of documents: BehaviorDocuments) -> ExposedAction {
        ExposedAction(own: GetOverview.self, .json(location: nil), in: .reports) { input in
            // Detached: large documents take long to parse, and this is an event loop's thread.
            let overview = try await Task.detached {
                try await documents.overview(in: input.environment)
            }.value
            return GetOverview.Output(
                documents: overview.elements.map(OverviewReport.init),
                isComplete: overview.isComplete
            )
        }
    }
}

extension OverviewReport {
    fileprivate init(_ overview: DocumentOverview) {
        self.init(
            name: overview.state.key.name,
            environment: overview.state.key.environment,
            latest: overview.state.latest,
            live: overview.state.live,
            since: overview.state.since.map(HTTPDate.timestamp),
            days: overview.age.map { $0 / 86_400 },
            unchanged: overview.isUnchanged,
            author: overview.live?.author,
            authorName: overview.live?.authorName.given,
            message: overview.live?.message.given,
            rollouts: overview.rollouts.map {
                RolloutReport(place: $0.place, percent: $0.percent, value: $0.value)
            },
            drafts: overview.drafts.map(DraftReport.init),
            schedules: overview.schedules.map { ScheduleReport($0.schedule, $0.condition) }
        )
    }
}
