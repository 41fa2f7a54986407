package import BehaviorStore
import Behaviors
import HTTPSyntax
package import HTTPTypes
import JSONCodec
import JSONPatch
package import Plug
package import PlugHTTP

/// A revision of a behavior document, as those see it who author behaviors.
package struct RevisionReport: Codable, Sendable, Equatable {
    /// The document's name: `default` is served at `/behaviors.json`.
    package var name: String
    /// The environment that it is of.
    package var environment: String
    /// Its number.
    package var revision: Int
    /// `live`, `earlier` for what was live before, or `draft`.
    package var state: String
    /// Who made it: a token's number.
    package var author: String
    /// The author's name, where one was given.
    package var authorName: String?
    /// Why, where that was said.
    package var message: String?
    /// When, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var created: String
    /// The SHA-256 digest of its bytes, in hexadecimal digits.
    package var digest: String
    /// How many bytes there are.
    package var size: Int
    /// Where it was promoted from; none where it wasn't.
    package var origin: RevisionOrigin?
}

/// A behavior document, as those see it who author behaviors.
package struct BehaviorReport: Codable, Sendable, Equatable {
    /// Its name.
    package var name: String
    /// The environment that it is of.
    package var environment: String
    /// The number of its newest revision.
    package var latest: Int
    /// The number of the one that is live; none where there are only drafts.
    package var live: Int?
    /// Since when, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var since: String?
}

/// Lists the behavior documents of an environment.
package class ListBehaviors: Action<ListBehaviors.Input, [BehaviorReport]>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The environment; the one that is served where none is named.
        package var environment: String?

        package init(environment: String? = nil) { self.environment = environment }
    }

    package static var path: String { "/behaviors" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Makes a document's next revision of the request's body: live at once, or a draft.
package class PutBehavior: Action<PutBehavior.Input, RevisionReport>, PUT, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The document, which is kept as it is, byte by byte.
        package var document: String
        /// Whether it is to be kept without being served.
        package var draft: Bool?
        /// Why, for the history.
        package var message: String?
        /// The environment; the one that is served where none is named.
        package var environment: String?
        /// Upon which live revision: `"3"`.
        package var ifMatch: String?
        /// Upon none of these live revisions: `"3"`; `*` where nothing is to be live.
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

/// Makes a document's next revision of what is live and a patch: live at once, or a draft.
package class PatchBehavior: Action<PatchBehavior.Input, RevisionReport>, PATCH, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The patch.
        package var patch: String
        /// What it is: `application/json-patch+json` or `application/merge-patch+json`.
        package var mediaType: String
        /// The revision that is patched, such as a draft; what is live where none is named.
        package var revision: Int?
        /// Whether the result is to be kept without being served.
        package var draft: Bool?
        /// Why, for the history.
        package var message: String?
        /// The environment; the one that is served where none is named.
        package var environment: String?
        /// Upon which live revision: `"3"`.
        package var ifMatch: String?
        /// Upon none of these live revisions: `"3"`.
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

    /// The form that a media type names, with parameters or without.
    init?(mediaType: String) {
        self.init(rawValue: MediaType.essence(of: mediaType))
    }
}

/// Lists the revisions of a document, the newest first.
package class ListRevisions: Action<ListRevisions.Input, [RevisionReport]>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The environment; the one that is served where none is named.
        package var environment: String?
        /// Only revisions below that number: the last one of the page before.
        package var before: Int?
        /// How many at most.
        package var limit: Int?

        package init(name: String) { self.name = name }
    }

    package static var path: String { "/behaviors/{name}/revisions" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Which document.
package struct BehaviorID: Codable, Sendable {
    /// The document's name.
    package var name: String
    /// The environment; the one that is served where none is named.
    package var environment: String?

    package init(name: String, environment: String? = nil) {
        self.name = name
        self.environment = environment
    }
}

/// Which revision of which document.
package struct RevisionID: Codable, Sendable {
    /// The document's name.
    package var name: String
    /// The revision's number.
    package var revision: Int
    /// The environment; the one that is served where none is named.
    package var environment: String?

    package init(name: String, revision: Int) {
        self.name = name
        self.revision = revision
    }
}

/// Gives a revision's bytes as they were put.
package class GetRevision: Action<RevisionID, ResponseBody>, GET, Scoped {
    package static var path: String { "/behaviors/{name}/revisions/{revision}" }
    package static var scopes: Scopes { .readBehaviors }
    package static var mediaType: String? { "application/json" }
}

/// Makes a draft live, as the revision that it is, its message included.
package class PublishDraft: Action<PublishDraft.Input, RevisionReport>, POST, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The draft's number.
        package var revision: Int
        /// The environment; the one that is served where none is named.
        package var environment: String?
        /// Upon which live revision: `"3"`.
        package var ifMatch: String?
        /// `*` where nothing is to be live.
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

/// Makes a revision's bytes live again, as a document's next revision.
package class RollBackBehavior: Action<RollBackBehavior.Input, RevisionReport>, POST, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The revision's number.
        package var revision: Int
        /// Why, for the history.
        package var message: String?
        /// The environment; the one that is served where none is named.
        package var environment: String?
        /// Upon which live revision: `"3"`.
        package var ifMatch: String?
        /// `*` where nothing is to be live.
        package var ifNoneMatch: String?

        package init(name: String, revision: Int) {
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
    /// To see what isn't served, and why what is served is.
    package static var readBehaviors: Scopes { ["behaviors:read"] }
    /// To change what is served.
    package static var writeBehaviors: Scopes { ["behaviors:write"] }
}

extension [String: HTTPField.Name] {
    /// The members that say upon which state a change is to be made (RFC 9110 §13.1).
    static var preconditions: Self {
        ["ifMatch": .ifMatch, "ifNoneMatch": .ifNoneMatch]
    }
}

extension RevisionReport {
    /// Where its bytes are.
    fileprivate var location: String {
        let query = "?environment=\(environment)"
        return "/behaviors/\(name)/revisions/\(revision)\(query)"
    }
}
