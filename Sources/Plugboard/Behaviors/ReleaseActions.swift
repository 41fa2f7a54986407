import BehaviorStore
import HTTPSyntax
package import HTTPTypes
import JSONCodec
package import Plug
package import PlugHTTP

/// Makes a revision of one environment the next one of another.
///
/// Where the other environment asks for approvals it is a draft there.
package class PromoteBehavior: Action<PromoteBehavior.Input, RevisionReport>, POST, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The environment that it is to go to.
        package var to: String
        /// The one that it comes from; the one that is served where none is named.
        package var from: String?
        /// The same, by the name that it has in all other actions; `from` goes before.
        package var environment: String?
        /// The revision there; what is live where no number is given.
        package var revision: Int?
        /// Whether it is to be a draft in any case.
        package var draft: Bool?
        /// Why, for the history.
        package var message: String?
        /// A JSON Patch (RFC 6902) that is laid over it this time, after the overrides that the other
        /// environment has.
        package var overrides: PatchDocument?
        /// Upon which live revision of the other environment: `"3"`.
        package var ifMatch: String?
        /// Upon none of these: `"3"`; `*` where nothing is to be live there.
        package var ifNoneMatch: String?

        package init(name: String, to: String) {
            self.name = name
            self.to = to
        }
    }

    package static var path: String { "/behaviors/{name}/promote" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var queried: [String] { ["environment", "draft"] }
    package static var fields: [String: HTTPField.Name] { .preconditions }
    package static func location(of output: RevisionReport) -> String? {
        PutBehavior.location(of: output)
    }
}

/// Approves of a draft, which its author can't.
package class ApproveDraft: Action<RevisionID, ApproveDraft.Output>, POST, Scoped {
    package struct Output: Codable, Sendable {
        /// The draft's number.
        package var revision: Int
        /// Who has approved of it.
        package var approvals: [Approval]
    }

    /// An approval.
    package struct Approval: Codable, Sendable, Equatable {
        /// Who: a token's number.
        package var by: String
        /// Their name, where one was given.
        package var name: String?
        /// When, as `2026-11-22T08:00:00Z` (RFC 3339).
        package var at: String
    }

    package static var path: String { "/behaviors/{name}/approve" }
    package static var scopes: Scopes { ["behaviors:approve"] }
    package static var queried: [String] { ["environment"] }
}

/// A revision that is to go live at a time to come.
package struct ScheduleReport: Codable, Sendable, Equatable {
    /// Its number.
    package var id: Int
    /// The document's name.
    package var name: String
    /// The environment.
    package var environment: String
    /// The revision.
    package var revision: Int
    /// When, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var at: String
    /// Who wants it: a token's number.
    package var by: String
}

/// Has a revision go live at a time: a draft, or what was live before.
package class ScheduleBehavior: Action<ScheduleBehavior.Input, ScheduleReport>, POST, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The revision.
        package var revision: Int
        /// When: `2026-11-22T08:00:00Z` (RFC 3339); in the middle of a second the next one.
        package var at: String
        /// The environment; the one that is served where none is named.
        package var environment: String?

        package init(name: String, revision: Int, at: String) {
            self.name = name
            self.revision = revision
            self.at = at
        }
    }

    package static var path: String { "/behaviors/{name}/schedules" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var queried: [String] { ["environment"] }
    package static func location(of output: ScheduleReport) -> String? {
        "/behaviors/\(output.name)/schedules/\(output.id)?environment=\(output.environment)"
    }
}

/// Lists what is still to go live of a document, the next one first.
package class ListSchedules: Action<BehaviorID, [ScheduleReport]>, GET, Scoped {
    package static var path: String { "/behaviors/{name}/schedules" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Takes a schedule back.
package class CancelSchedule: Action<CancelSchedule.Input, Void>, DELETE, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The schedule's number.
        package var id: Int
        /// The environment; the one that is served where none is named.
        package var environment: String?

        package init(name: String, id: Int) {
            self.name = name
            self.id = id
        }
    }

    package static var path: String { "/behaviors/{name}/schedules/{id}" }
    package static var scopes: Scopes { .writeBehaviors }
}

extension ExposedAction {
    /// The actions by which what is authored is let go live.
    static func releasing(of documents: BehaviorDocuments) -> [ExposedAction] {
        approving(of: documents) + scheduling(of: documents) + overriding(of: documents) + [
            ExposedAction(own: PromoteBehavior.self, .revision(isNew: true)) { input, author in
                RevisionReport(
                    try await documents.promote(
                        input.revision,
                        of: documents.key(input.name, input.from ?? input.environment),
                        to: documents.environment(input.to, named: "to"),
                        overriddenBy: input.overrides?.json,
                        isDraft: input.draft ?? false,
                        message: input.message,
                        expecting: ExpectedRevision(input.ifMatch, input.ifNoneMatch),
                        by: author
                    )
                )
            }
        ]
    }

    private static func approving(of documents: BehaviorDocuments) -> [ExposedAction] {
        [
            ExposedAction(own: ApproveDraft.self, .json(location: nil)) { input, author in
                let key = try documents.key(input.name, input.environment)
                let done = try await documents.approve(input.revision, of: key, by: author)
                return ApproveDraft.Output(
                    revision: done.info.number,
                    approvals: done.approvals.map { approval in
                        ApproveDraft.Approval(
                            by: approval.by,
                            name: approval.name.isEmpty ? nil : approval.name,
                            at: HTTPDate.timestamp(approval.at)
                        )
                    }
                )
            }
        ]
    }

    private static func scheduling(of documents: BehaviorDocuments) -> [ExposedAction] {
        let location = ScheduleBehavior.location
        return [
            ExposedAction(own: ScheduleBehavior.self, .json(location: location)) {
                input,
                author in
                let key = try documents.key(input.name, input.environment)
                guard let time = Timestamp.seconds(input.at) else {
                    throw Problem.unprocessableContent("\(input.at) is no time")
                }
                return ScheduleReport(
                    try await documents.schedule(
                        input.revision,
                        of: key,
                        // Not before it: in the middle of a second it is the next one.
                        at: Int(time.rounded(.up)),
                        by: author
                    )
                )
            },
            ExposedAction(own: ListSchedules.self, .json(location: nil)) {
                let key = try documents.key($0.name, $0.environment)
                return try await documents.schedules(of: key).map(ScheduleReport.init)
            },
            ExposedAction(own: CancelSchedule.self, .nothing) { input, author in
                let key = try documents.key(input.name, input.environment)
                guard try await documents.cancel(input.id, of: key, by: author) else {
                    throw Problem.notFound("there is no schedule \(input.id) of \(key)")
                }
            },
        ]
    }
}

extension ScheduleReport {
    fileprivate init(_ schedule: Schedule) {
        self.init(
            id: schedule.id,
            name: schedule.key.name,
            environment: schedule.key.environment,
            revision: schedule.plan.revision,
            at: HTTPDate.timestamp(schedule.plan.at),
            by: schedule.plan.by
        )
    }
}
