import BehaviorStore
import HTTPSyntax
package import JSONCodec
package import Plug
package import PlugHTTP
import AdministrationStore

/// A row of an audit: one change of a behavior document, a rule, an override, a token or a plug.
package struct AuditReport: Codable, Sendable, Equatable {
    /// The row's number, from 1 without gaps.
    package var row: Int
    /// The time, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var at: String
    /// The author: a token's number.
    package var author: String
    /// The author's name, if given.
    package var authorName: String?
    /// The request's address, or `schedule` for a scheduled change.
    package var address: String?
    /// The kind of change: `publish`, `draft`, `rollback`, `approve`, `discard`, `promote`, `schedule`,
    /// `cancel`, `schedule ended`, `rules` or `override`; of the administration `create token`,
    /// `rotate token`, `revoke token`, `set plug`, `reset plug`, `import documents`,
    /// `reject credentials` or `end session`.
    package var change: String
    /// The environment; nil for the administration.
    package var environment: String?
    /// The name of the document, token or action; nil for other changes.
    package var name: String?
    /// The state before; nil if there was none.
    package var before: JSON?
    /// The state after; nil if there is none.
    package var after: JSON?
    /// The reason of a plug's change, if a guard made it.
    package var reason: String?
    /// The previous row's hash; zeros in the first row.
    package var previous: String
    /// The hash of this row and the previous one.
    package var hash: String
}

/// Lists the audit's rows: the newest first, or the oldest first after a row.
///
/// With `before` and `after` it lists the rows between them. A page ends early when its rows reach
/// 1 MiB. An empty page is the end.
package class ListAudit: Action<ListAudit.Input, [AuditReport]>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// Only rows below this number, such as the previous page's last row.
        ///
        /// The newest come first, unless `after` is given.
        package var before: Int?
        /// Only rows above this number, the oldest first; 0 for all rows.
        package var after: Int?
        /// The limit on rows; 20 by default.
        package var limit: Int?
        /// The audit: `documents`, the default, or `administration` for tokens and plugs.
        package var log: String?

        package init(
            before: Int? = nil,
            after: Int? = nil,
            limit: Int? = nil,
            log: String? = nil
        ) {
            self.log = log
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
            "log": [.pattern("^(documents|administration)$", "documents or administration")],
        ]
    }
}

extension Scopes {
    /// Read the authors, times and addresses of changes.
    package static var readAudit: Scopes { ["audit:read"] }
}

extension ExposedAction {
    /// The action that reads a store's audit, or that of the administration.
    static func audit(
        of documents: BehaviorDocuments,
        _ administration: (any AdministrationBackend)?
    ) -> ExposedAction {
        ExposedAction(own: ListAudit.self, .json(location: nil)) { input in
            let limit = input.limit ?? BehaviorDocuments.usualPage
            if input.log == "administration" {
                return try await administrationRows(administration, input, limit)
            }
            guard let after = input.after else {
                return try await documents.backend.audit(before: input.before, limit: limit)
                    .map(AuditReport.init)
            }
            let before = input.before ?? .max
            guard before > after else { throw Problem.noRange(before: before, after: after) }
            return try await documents.backend.audit(after: after, limit: limit)
                .prefix { $0.sequence < before }.map(AuditReport.init)
        }
    }

    private static func administrationRows(
        _ administration: (any AdministrationBackend)?,
        _ input: ListAudit.Input,
        _ limit: Int
    ) async throws -> [AuditReport] {
        guard let administration else { return [] }
        guard let after = input.after else {
            return try await administration.auditRows(before: input.before, limit: limit)
                .map(AuditReport.init)
        }
        let before = input.before ?? .max
        guard before > after else { throw Problem.noRange(before: before, after: after) }
        return try await administration.auditRows(after: after, limit: limit)
            .prefix { $0.sequence < before }.map(AuditReport.init)
    }
}

extension Problem {
    /// The error for `before` less than or equal to `after`.
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
    private static func given(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// Returns the stored text even if somebody has edited it into invalid JSON.
    private static func value(_ text: String?) -> JSON? {
        text.map { (try? JSON(parsing: Array($0.utf8))) ?? .string($0) }
    }

    fileprivate init(_ row: AdministrationRow) {
        self.init(
            row: row.sequence,
            at: HTTPDate.timestamp(row.at),
            author: row.author,
            authorName: Self.given(row.authorName),
            address: Self.given(row.address),
            change: row.change,
            name: Self.given(row.name),
            before: Self.value(row.before),
            after: Self.value(row.after),
            reason: Self.given(row.reason),
            previous: row.previous,
            hash: row.hash
        )
    }

    fileprivate init(_ row: AuditRow) {
        self.init(
            row: row.sequence,
            at: HTTPDate.timestamp(row.at),
            author: row.author.id,
            authorName: Self.given(row.author.name),
            address: Self.given(row.author.address),
            change: row.change,
            environment: Self.given(row.environment),
            name: Self.given(row.name),
            before: Self.value(row.before),
            after: Self.value(row.after),
            previous: row.previous,
            hash: row.hash
        )
    }
}
