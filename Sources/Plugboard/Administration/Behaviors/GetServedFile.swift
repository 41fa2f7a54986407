import BehaviorStore
package import Plug
package import PlugHTTP

/// Returns the document that a file serves, as its author wrote it.
///
/// Until the store has `default`, the server serves a file in its place. The first revision that is
/// stored takes over: the file's document becomes revision 1.
package class GetServedFile: Action<BehaviorID, ServedFileReport>, GET, Scoped {
    package static var path: String { "/behaviors/{name}/file" }
    package static var scopes: Scopes { .readBehaviors }
}

/// A document that a file serves in place of a stored one.
package struct ServedFileReport: Codable, Sendable, Equatable {
    /// The file's path on the server.
    package var path: String
    /// The document's text.
    package var document: String
}

extension ExposedAction {
    /// The action for the served file.
    static func servedFile(of documents: BehaviorDocuments) -> ExposedAction {
        ExposedAction(own: GetServedFile.self, .json(location: nil)) { input in
            let key = try documents.key(input.name, input.environment)
            guard let file = documents.servedFile(of: key) else {
                throw Problem.notFound("no file serves \(key.name) in \(key.environment)")
            }
            return ServedFileReport(
                path: file.path,
                document: String(decoding: file.bytes, as: UTF8.self)
            )
        }
    }
}
