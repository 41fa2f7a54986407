import BehaviorStore
import HTTPSyntax
package import Plug
package import PlugHTTP

/// Approves a draft; its author can't.
package class ApproveDraft: Action<DraftComment, ApproveDraft.Output>, POST, Scoped {
    package struct Output: Codable, Sendable {
        /// The draft's number.
        package var revision: Int
        /// The draft's approvals.
        package var approvals: [ApprovalReport]
    }

    package static var path: String { "/behaviors/{name}/approve" }
    package static var scopes: Scopes { ["behaviors:approve"] }
    package static var queried: [String] { ["environment"] }
}

/// Discards a draft, so that it can't go live; its history stays.
package class DiscardDraft: Action<DraftComment, RevisionReport>, POST, Scoped {
    package static var path: String { "/behaviors/{name}/discard" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var queried: [String] { ["environment"] }
}

/// A draft, with a comment on it.
package struct DraftComment: Codable, Sendable {
    /// The document's name.
    package var name: String
    /// The draft's number.
    package var revision: Int
    /// The comment, for the history.
    package var message: String?
    /// The environment; by default the served one.
    package var environment: String?

    package init(name: String, revision: Int) {
        self.name = name
        self.revision = revision
    }
}

/// Lists the drafts that wait to go live, by environment, name and number.
package class ListDrafts: Action<ListDrafts.Input, ListDrafts.Output>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The environment; by default all of them.
        package var environment: String?
        /// The document's name; by default all documents.
        package var name: String?

        package init(environment: String? = nil, name: String? = nil) {
            self.environment = environment
            self.name = name
        }
    }

    package struct Output: Codable, Sendable, Equatable {
        /// The drafts, by environment, name and number.
        package var drafts: [DraftReport]
        /// Whether it has all waiting drafts; false if they exceed the action's limit.
        package var isComplete: Bool
    }

    package static var path: String { "/drafts" }
    package static var scopes: Scopes { .readBehaviors }
}

/// A draft that waits to go live.
package struct DraftReport: Codable, Sendable, Equatable {
    /// The document's name.
    package var name: String
    /// The environment.
    package var environment: String
    /// The draft's number.
    package var revision: Int
    /// The author: a token's number.
    package var author: String
    /// The author's name, if given.
    package var authorName: String?
    /// The reason, if given.
    package var message: String?
    /// When it was made, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var created: String
    /// The number of approvals that it needs.
    package var needed: Int
    /// The number of approvals that count now.
    package var given: Int
    /// All of its approvals, the first one first.
    package var approvals: [ApprovalReport]
    /// The reasons why approvals don't count now, a phrase each.
    package var ended: [String]
    /// The times of its pending schedules, the next one first.
    package var schedules: [String]
}

extension ExposedAction {
    /// The actions for drafts.
    static func approving(of documents: BehaviorDocuments) -> [ExposedAction] {
        [
            ExposedAction(own: ApproveDraft.self, .json(location: nil)) { input, author in
                let key = try documents.key(input.name, input.environment)
                let done = try await documents.approve(
                    input.revision,
                    of: key,
                    message: input.message ?? "",
                    by: author
                )
                return ApproveDraft.Output(
                    revision: done.info.number,
                    approvals: done.approvals.map(ApprovalReport.init)
                )
            },
            ExposedAction(own: DiscardDraft.self, .json(location: nil)) { input, author in
                let key = try documents.key(input.name, input.environment)
                let done = try await documents.discard(
                    input.revision,
                    of: key,
                    message: input.message ?? "",
                    by: author
                )
                return RevisionReport(done.info, done.draft)
            },
            ExposedAction(own: ListDrafts.self, .json(location: nil)) { input in
                let waiting = try await documents.waitingDrafts(
                    in: input.environment,
                    named: input.name
                )
                return ListDrafts.Output(
                    drafts: waiting.elements.map(DraftReport.init),
                    isComplete: waiting.isComplete
                )
            },
        ]
    }
}

extension DraftReport {
    init(_ waiting: WaitingDraft) {
        self.init(
            name: waiting.info.key.name,
            environment: waiting.info.key.environment,
            revision: waiting.info.number,
            author: waiting.info.author,
            authorName: waiting.info.authorName.given,
            message: waiting.info.message.given,
            created: HTTPDate.timestamp(waiting.info.created),
            needed: waiting.approvals.needed,
            given: waiting.approvals.given,
            approvals: waiting.draft.approvals.map(ApprovalReport.init),
            ended: waiting.approvals.ended,
            schedules: waiting.schedules.map { HTTPDate.timestamp($0.plan.at) }
        )
    }
}
