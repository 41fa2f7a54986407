import BehaviorStore
import HTTPSyntax
package import JSONCodec
package import Plug
package import PlugHTTP

/// A row of the audit: one change of a behavior document, or of what is kept beside it.
package struct AuditReport: Codable, Sendable, Equatable {
    /// Its number, from 1 on without a gap.
    package var row: Int
    /// When, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var at: String
    /// Who: a token's number.
    package var author: String
    /// Their name, where one was given.
    package var authorName: String?
    /// The address that the request came from; `schedule` where it was a schedule's time.
    package var address: String?
    /// What was done: `publish`, `draft`, `rollback`, `approve`, `promote`, `schedule`, `cancel`,
    /// `schedule ended`, `rules`, `override`.
    package var change: String
    /// In which environment.
    package var environment: String
    /// To which document, where it was done to one.
    package var name: String?
    /// What was before; none where there was nothing.
    package var before: JSON?
    /// What is since; none where there is nothing.
    package var after: JSON?
    /// The hash of the row before; zeros in the first one.
    package var previous: String
    /// The hash of this row and the one before.
    package var hash: String
}

/// Lists what is written down of each change, the newest first, or from a row on; between two rows
/// where both are given.
///
/// A page ends early where its rows are large, from 1 MiB on: an empty one says that there are no more.
package class ListAudit: Action<ListAudit.Input, [AuditReport]>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// Only rows below that number, the newest first unless `after` is given: the last one of the
        /// page before.
        package var before: Int?
        /// Only rows beyond that number, the oldest first: the last one that is known; 0 for all.
        package var after: Int?
        /// How many at most; 20 where no number is given.
        package var limit: Int?

        package init(before: Int? = nil, after: Int? = nil, limit: Int? = nil) {
            self.before = before
            self.after = after
            self.limit = limit
        }
    }

    package static var path: String { "/audit" }
    package static var scopes: Scopes { .readAudit }
}

extension ListAudit.Input: Constrained {
    package static var constraints: Constraints {
        [
            "before": [.minimum(1)], "after": [.minimum(0)], "limit": .page,
        ]
    }
}

extension Scopes {
    /// To see who has changed what, and from where.
    package static var readAudit: Scopes { ["audit:read"] }
}

extension ExposedAction {
    /// The action by which the audit of a store is read.
    static func audit(of documents: BehaviorDocuments) -> ExposedAction {
        ExposedAction(own: ListAudit.self, .json(location: nil)) { input in
            let limit = input.limit ?? BehaviorDocuments.usualPage
            guard let after = input.after else {
                return try await documents.keeping.audit(before: input.before, limit: limit)
                    .map(AuditReport.init)
            }
            let before = input.before ?? .max
            guard before > after else { throw Problem.noRange(before: before, after: after) }
            return try await documents.keeping.audit(after: after, limit: limit)
                .prefix { $0.sequence < before }.map(AuditReport.init)
        }
    }
}

extension Problem {
    /// What is said of rows that would have to lie below one and beyond another that isn't below it.
    fileprivate static func noRange(before: Int, after: Int) -> Problem {
        Problem(
            invalid: JSONTypeErrors([
                JSONTypeError(pointer: "/before", message: "expected more than after, \(after)"),
                JSONTypeError(pointer: "/after", message: "expected less than before, \(before)"),
            ])
        )
    }
}

extension AuditReport {
    fileprivate init(_ row: AuditRow) {
        func given(_ text: String) -> String? { text.isEmpty ? nil : text }
        // Told as it is kept, also where somebody has edited it into what is no JSON.
        func value(_ text: String?) -> JSON? {
            text.map { (try? JSON(parsing: Array($0.utf8))) ?? .string($0) }
        }
        self.init(
            row: row.sequence,
            at: HTTPDate.timestamp(row.at),
            author: row.author.id,
            authorName: given(row.author.name),
            address: given(row.author.address),
            change: row.change,
            environment: row.environment,
            name: given(row.name),
            before: value(row.before),
            after: value(row.after),
            previous: row.previous,
            hash: row.hash
        )
    }
}
