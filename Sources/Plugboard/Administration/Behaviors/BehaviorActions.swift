package import BehaviorStore
import Behaviors
import HTTPSyntax
package import HTTPTypes
import JSONCodec
import JSONPatch
package import Plug
package import PlugHTTP

/// A revision of a behavior document, for its authors.
package struct RevisionReport: Codable, Sendable, Equatable {
    /// The document's name: `default` is served at `/behaviors.json`.
    package var name: String
    /// The document's environment.
    package var environment: String
    /// The revision's number.
    package var revision: Int
    /// `live`, `earlier` if it was live before, `draft`, or `discarded`.
    package var state: String
    /// The author: a token's number.
    package var author: String
    /// The author's name, if given.
    package var authorName: String?
    /// The reason, if given.
    package var message: String?
    /// When it was made, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var created: String
    /// When it went live, as `2026-11-22T08:00:00Z`; nil if it never did.
    package var wentLive: String?
    /// The SHA-256 digest of the document's bytes, in hexadecimal digits.
    package var digest: String
    /// The number of bytes.
    package var size: Int
    /// The revision that it was promoted from; nil if it wasn't promoted.
    package var origin: RevisionOrigin?
    /// Its approvals, the first one first; nil if there are none.
    package var approvals: [ApprovalReport]?
    /// The end of a discarded draft; nil for another revision.
    package var discarded: ApprovalReport?
    /// Its schedules, the first one first, also those that have ended; nil if there are none.
    package var schedules: [RevisionSchedule]?
}

/// An approval or the end of a draft: its author and time.
package struct ApprovalReport: Codable, Sendable, Equatable {
    /// The author: a token's number.
    package var by: String
    /// The author's name, if given.
    package var name: String?
    /// The time, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var at: String
    /// The author's comment, if given.
    package var message: String?
}

/// A schedule of a revision, also one that has ended.
package struct RevisionSchedule: Codable, Sendable, Equatable {
    /// The schedule's number.
    package var id: Int
    /// The time, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var at: String
    /// The author: a token's number.
    package var by: String
    /// The author's name, if given.
    package var name: String?
    /// `pending`, `done`, `cancelled` or `failed`.
    package var state: String
    /// The reason why it failed; nil if it didn't.
    package var reason: String?
}

/// A behavior document, for its authors.
package struct BehaviorReport: Codable, Sendable, Equatable {
    /// The document's name.
    package var name: String
    /// The document's environment.
    package var environment: String
    /// The newest revision's number.
    package var latest: Int
    /// The live revision's number; nil if there are only drafts.
    package var live: Int?
    /// The time when it went live, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var since: String?
}

/// Lists the behavior documents of an environment.
package class ListBehaviors: Action<ListBehaviors.Input, [BehaviorReport]>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The environment; by default the served one.
        package var environment: String?

        package init(environment: String? = nil) { self.environment = environment }
    }

    package static var path: String { "/behaviors" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Stores the request's body as a document's next revision, live or a draft.
package class PutBehavior: Action<PutBehavior.Input, RevisionReport>, PUT, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The document, stored byte by byte.
        package var document: String
        /// Whether the revision is to stay a draft.
        package var draft: Bool?
        /// The reason, for the history.
        package var message: String?
        /// The environment; by default the served one.
        package var environment: String?
        /// Whether to create the environment if it doesn't exist.
        package var create: Bool?
        /// `If-Match`: the expected live revision, as `"3"`.
        package var ifMatch: String?
        /// `If-None-Match`: unexpected live revisions, as `"3"`; `*` expects no live revision.
        package var ifNoneMatch: String?

        package init(name: String, document: String) {
            self.name = name
            self.document = document
        }
    }

    package static var path: String { "/behaviors/{name}" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var wholeBody: String? { "document" }
    package static var bodyTypes: [BodyType] {
        [BodyType("application/json", AuthoredBehavior.self)]
    }
    package static var fields: [String: HTTPField.Name] { .preconditions }
    package static func location(of output: RevisionReport) -> String? { output.location }
}

/// Stores the patched document as its next revision, live or a draft.
package class PatchBehavior: Action<PatchBehavior.Input, RevisionReport>, PATCH, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The patch.
        package var patch: String
        /// The patch's media type: `application/json-patch+json` or `application/merge-patch+json`.
        package var mediaType: String
        /// The revision to patch, such as a draft; by default the live one.
        package var revision: Int?
        /// Whether the revision is to stay a draft.
        package var draft: Bool?
        /// The reason, for the history.
        package var message: String?
        /// The environment; by default the served one.
        package var environment: String?
        /// `If-Match`: the expected live revision, as `"3"`.
        package var ifMatch: String?
        /// `If-None-Match`: unexpected live revisions, as `"3"`.
        package var ifNoneMatch: String?

        package init(name: String, patch: String, _ form: PatchForm) {
            self.name = name
            self.patch = patch
            mediaType = form.rawValue
        }
    }

    package static var path: String { "/behaviors/{name}" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var wholeBody: String? { "patch" }
    package static var bodyTypes: [BodyType] {
        PatchForm.allCases.map { BodyType($0.rawValue, $0.content) }
    }
    package static var fields: [String: HTTPField.Name] {
        [String: HTTPField.Name].preconditions.merging(["mediaType": .contentType]) { $1 }
    }
    package static func location(of output: RevisionReport) -> String? { output.location }
}

extension PatchForm {
    fileprivate var content: any (SchemaDescribing & SendableMetatype).Type {
        switch self {
        case .operations: Patch.self
        case .merge: MergePatch.self
        }
    }

    /// The form of a patch's media type, whose parameters are ignored.
    init?(mediaType: String) {
        self.init(rawValue: MediaType.essence(of: mediaType))
    }
}

/// Lists the revisions of a document, the newest first.
package class ListRevisions: Action<ListRevisions.Input, [RevisionReport]>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The environment; by default the served one.
        package var environment: String?
        /// Only revisions below this number, such as the previous page's last one.
        package var before: Int?
        /// The limit on revisions.
        package var limit: Int?

        package init(name: String) { self.name = name }
    }

    package static var path: String { "/behaviors/{name}/revisions" }
    package static var scopes: Scopes { .readBehaviors }
}

/// A document's name and environment.
package struct BehaviorID: Codable, Sendable {
    /// The document's name.
    package var name: String
    /// The environment; by default the served one.
    package var environment: String?

    package init(name: String, environment: String? = nil) {
        self.name = name
        self.environment = environment
    }
}

/// A revision of a document.
package struct RevisionID: Codable, Sendable {
    /// The document's name.
    package var name: String
    /// The revision's number.
    package var revision: Int
    /// The environment; by default the served one.
    package var environment: String?

    package init(name: String, revision: Int) {
        self.name = name
        self.revision = revision
    }
}

/// Returns a revision's bytes, or those that its promotion would store.
package class GetRevision: Action<GetRevision.Input, ResponseBody>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The revision's number.
        package var revision: Int
        /// The environment; by default the served one.
        package var environment: String?
        /// Another environment, whose overrides are applied as by a promotion to it.
        package var promotedTo: String?

        package init(name: String, revision: Int) {
            self.name = name
            self.revision = revision
        }
    }

    package static var path: String { "/behaviors/{name}/revisions/{revision}" }
    package static var scopes: Scopes { .readBehaviors }
    package static var mediaType: String? { "application/json" }
}

/// Returns a revision without its bytes: its author and times, its approvals and schedules.
package class DescribeRevision: Action<RevisionID, RevisionReport>, GET, Scoped {
    package static var path: String { "/behaviors/{name}/revisions/{revision}/description" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Makes a draft live with its number and its message.
package class PublishDraft: Action<PublishDraft.Input, RevisionReport>, POST, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The draft's number.
        package var revision: Int
        /// The environment; by default the served one.
        package var environment: String?
        /// `If-Match`: the expected live revision, as `"3"`.
        package var ifMatch: String?
        /// `If-None-Match`: `*` expects no live revision.
        package var ifNoneMatch: String?

        package init(name: String, revision: Int) {
            self.name = name
            self.revision = revision
        }
    }

    package static var path: String { "/behaviors/{name}/publish" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var queried: [String] { ["environment"] }
    package static var fields: [String: HTTPField.Name] { .preconditions }
}

/// Makes a revision's bytes live as the document's next revision: by default the previous live
/// revision's.
package class RollBackBehavior: Action<RollBackBehavior.Input, RevisionReport>, POST, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The revision's number; by default the one that was live before the live one.
        package var revision: Int?
        /// The reason, for the history.
        package var message: String?
        /// The environment; by default the served one.
        package var environment: String?
        /// `If-Match`: the expected live revision, as `"3"`.
        package var ifMatch: String?
        /// `If-None-Match`: `*` expects no live revision.
        package var ifNoneMatch: String?

        package init(name: String, revision: Int? = nil) {
            self.name = name
            self.revision = revision
        }
    }

    package static var path: String { "/behaviors/{name}/rollback" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var queried: [String] { ["environment"] }
    package static var fields: [String: HTTPField.Name] { .preconditions }
    package static func location(of output: RevisionReport) -> String? { output.location }
}

extension Scopes {
    /// Read drafts and targeting explanations.
    package static var readBehaviors: Scopes { ["behaviors:read"] }
    /// Change documents.
    package static var writeBehaviors: Scopes { ["behaviors:write"] }
}

extension [String: HTTPField.Name] {
    /// The members for preconditions on the live revision (RFC 9110 §13.1).
    static var preconditions: Self {
        ["ifMatch": .ifMatch, "ifNoneMatch": .ifNoneMatch]
    }
}

extension RevisionReport {
    /// The path of the revision's bytes.
    fileprivate var location: String {
        let query = "?environment=\(environment)"
        return "/behaviors/\(name)/revisions/\(revision)\(query)"
    }
}
