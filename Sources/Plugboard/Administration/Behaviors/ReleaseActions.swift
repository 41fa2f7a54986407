import BehaviorStore
import HTTPSyntax
package import HTTPTypes
import JSONCodec
package import Plug
package import PlugHTTP

/// Copies a revision from one environment to another as its next revision.
///
/// In an environment that requires approvals it becomes a draft.
package class PromoteBehavior: Action<PromoteBehavior.Input, RevisionReport>, POST, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The target environment.
        package var to: String
        /// The source environment; by default the served one.
        package var from: String?
        /// Another name for `from`, as in all other actions; `from` takes precedence.
        package var environment: String?
        /// The source's revision; by default the live one.
        package var revision: Int?
        /// Whether to create the target environment if it doesn't exist.
        package var create: Bool?
        /// Whether the revision is to become a draft in any case.
        package var draft: Bool?
        /// The reason, for the history.
        package var message: String?
        /// A JSON Patch (RFC 6902) for this promotion only, applied after the target's overrides.
        package var overrides: PatchDocument?
        /// `If-Match`: the target's expected live revision, as `"3"`.
        package var ifMatch: String?
        /// `If-None-Match`: the target's unexpected live revisions, as `"3"`; `*` expects none.
        package var ifNoneMatch: String?

        package init(name: String, to: String) {
            self.name = name
            self.to = to
        }
    }

    package static var path: String { "/behaviors/{name}/promote" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var queried: [String] { ["environment", "draft", "create"] }
    package static var fields: [String: HTTPField.Name] { .preconditions }
    package static func location(of output: RevisionReport) -> String? {
        PutBehavior.location(of: output)
    }
}

/// A revision that is scheduled to go live.
package struct ScheduleReport: Codable, Sendable, Equatable {
    /// The schedule's number.
    package var id: Int
    /// The document's name.
    package var name: String
    /// The environment.
    package var environment: String
    /// The revision.
    package var revision: Int
    /// The time, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var at: String
    /// The author: a token's number.
    package var by: String
    /// The author's name, if given.
    package var byName: String?
    /// The condition on which the revision goes live; nil if nothing is missing now.
    package var condition: String?
}

/// Schedules a draft or an earlier revision to go live.
package class ScheduleBehavior: Action<ScheduleBehavior.Input, ScheduleReport>, POST, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The revision.
        package var revision: Int
        /// The time, as `2026-11-22T08:00:00Z` (RFC 3339), rounded up to a second.
        package var at: String
        /// The environment; by default the served one.
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

/// Lists a document's pending schedules, the next one first.
package class ListSchedules: Action<BehaviorID, [ScheduleReport]>, GET, Scoped {
    package static var path: String { "/behaviors/{name}/schedules" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Cancels a schedule.
package class CancelSchedule: Action<CancelSchedule.Input, Void>, DELETE, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The schedule's number.
        package var id: Int
        /// The environment; by default the served one.
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
    /// The actions that release revisions.
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
                        mayCreate: input.create ?? false,
                        by: author
                    )
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
                    throw Problem.unprocessableContent("\(input.at) is not an RFC 3339 timestamp")
                }
                let schedule = try await documents.schedule(
                    input.revision,
                    of: key,
                    // Rounded up, so that it doesn't go live early.
                    at: Int(time.rounded(.up)),
                    by: author
                )
                return ScheduleReport(schedule, try await documents.condition(of: schedule))
            },
            ExposedAction(own: ListSchedules.self, .json(location: nil)) {
                let key = try documents.key($0.name, $0.environment)
                try await documents.checkExists(key.environment)
                var reports: [ScheduleReport] = []
                for schedule in try await documents.schedules(of: key) {
                    let condition = try await documents.condition(of: schedule)
                    reports.append(ScheduleReport(schedule, condition))
                }
                return reports
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
    init(_ schedule: Schedule, _ condition: String?) {
        self.init(
            id: schedule.id,
            name: schedule.key.name,
            environment: schedule.key.environment,
            revision: schedule.plan.revision,
            at: HTTPDate.timestamp(schedule.plan.at),
            by: schedule.plan.by,
            byName: schedule.plan.name.given,
            condition: condition
        )
    }
}
