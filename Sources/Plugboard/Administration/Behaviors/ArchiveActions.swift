package import JSONCodec
import AdministrationStore
import System
package import BehaviorStore
package import Plug
package import PlugHTTP

/// Exports all documents, revisions, records and the audit as JSON lines.
package class ExportBehaviors: Action<Void, ResponseBody>, GET, Scoped {
    package static var path: String { "/behaviors-archive" }
    package static var scopes: Scopes { ["audit:read", "behaviors:read"] }
    package static var mediaType: String? { BehaviorArchive.mediaType }
}

/// Imports another server's archive into an empty store, as a whole or not at all.
package class ImportBehaviors: Action<RequestBody, ImportReport>, POST, Scoped {
    package static var path: String { "/behaviors-archive" }
    package static var scopes: Scopes { .admin }
}

/// The counts of an import.
package struct ImportReport: Codable, Sendable, Equatable {
    /// The number of documents in all environments.
    package var documents: Int
    /// The number of revisions.
    package var revisions: Int
    /// The number of audit rows.
    package var rows: Int
    /// The hash of the last audit row, the same as in the exporting store.
    package var hash: String

    package init(_ archive: BehaviorArchive) {
        documents = archive.documents.count
        revisions = archive.revisions.count
        rows = archive.rows.count
        hash = (archive.rows.last.map(AuditHead.init) ?? .none).hash
    }
}

extension ImportReport {
    /// The counts and the hash in the administration's audit.
    package var audited: JSON {
        func number(_ count: Int) -> JSON { .number(JSON.Number(count)) }
        return [
            "documents": number(documents), "revisions": number(revisions), "rows": number(rows),
            "hash": .string(hash),
        ]
    }
}

extension ExposedAction {
    /// The actions that export and import a store.
    static func archiving(
        of documents: BehaviorDocuments,
        _ administration: (any AdministrationBackend)?
    ) -> [ExposedAction] {
        // One import at a time: an archive is in memory as a whole until it is stored.
        let imports = AsyncQueue<SingleKey>()
        return [
            ExposedAction(own: ExportBehaviors.self, .body) {
                ResponseBody(try await documents.export(), mediaType: BehaviorArchive.mediaType)
            },
            ExposedAction(own: ImportBehaviors.self, .json(location: nil)) { body, author in
                let report = try await imports.runIfFree(in: .only) {
                    // Off the loop's thread: checking documents takes long.
                    let archive = try await Task.detached {
                        var parser = ArchiveParser()
                        for try await piece in body { try parser.take(piece) }
                        return try parser.finish()
                    }.value
                    let report = ImportReport(archive)
                    try await documents.load(
                        archive,
                        by: author,
                        recording: AdministrationEntry(
                            .importDocuments,
                            to: report.audited,
                            by: AdministrationAuthor(author)
                        ),
                        in: administration
                    )
                    return report
                }
                guard let report else {
                    throw Problem.conflict("another import is running: retry after it")
                }
                return report
            },
        ]
    }
}

extension BehaviorArchive.Invalid: ProblemConvertible {
    /// The response for an invalid archive.
    package var problem: Problem { .unprocessableContent(description) }
}
