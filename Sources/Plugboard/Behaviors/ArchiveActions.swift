import System
package import BehaviorStore
package import Plug
package import PlugHTTP

/// Gives all that is kept of behaviors: documents, revisions, records and the audit, as lines of JSON.
package class ExportBehaviors: Action<Void, ResponseBody>, GET, Scoped {
    package static var path: String { "/behaviors-archive" }
    package static var scopes: Scopes { ["audit:read", "behaviors:read"] }
    package static var mediaType: String? { BehaviorArchive.mediaType }
}

/// Takes over what another server gave, where nothing is kept yet: all of it, or nothing.
package class ImportBehaviors: Action<RequestBody, ImportReport>, POST, Scoped {
    package static var path: String { "/behaviors-archive" }
    package static var scopes: Scopes { .admin }
}

/// What was taken over.
package struct ImportReport: Codable, Sendable, Equatable {
    /// How many documents, over all environments.
    package var documents: Int
    /// How many revisions they have.
    package var revisions: Int
    /// How many rows the audit has.
    package var rows: Int
    /// The hash of the last row: the same as where they came from.
    package var hash: String

    package init(_ archive: BehaviorArchive) {
        documents = archive.documents.count
        revisions = archive.revisions.count
        rows = archive.rows.count
        hash = (archive.rows.last.map(AuditHead.init) ?? .none).hash
    }
}

extension ExposedAction {
    /// The actions by which all that a store has moves to another.
    static func archiving(of documents: BehaviorDocuments) -> [ExposedAction] {
        // An archive is held whole until it is kept: one at a time.
        let imports = AsyncQueue<OnlyLine>()
        return [
            ExposedAction(own: ExportBehaviors.self, .body) {
                ResponseBody(try await documents.export(), mediaType: BehaviorArchive.mediaType)
            },
            ExposedAction(own: ImportBehaviors.self, .json(location: nil)) { body, author in
                let report = try await imports.runIfFree(in: .only) {
                    // Off the loop's thread: a document's check takes its time.
                    let archive = try await Task.detached {
                        var parser = ArchiveParser()
                        for try await piece in body { try parser.take(piece) }
                        return try parser.finish()
                    }.value
                    try await documents.load(archive, by: author)
                    return ImportReport(archive)
                }
                guard let report else {
                    throw Problem.conflict("another archive is being taken over")
                }
                return report
            },
        ]
    }
}

extension BehaviorArchive.Invalid: ProblemConvertible {
    /// What the one who imports is told.
    package var problem: Problem { .unprocessableContent(description) }
}
