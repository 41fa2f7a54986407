import BehaviorStore
import GRDB
import PostgreSQL
package import Storage

/// A part of a document store's content, for an operator.
package struct DocumentContents: Sendable, Equatable {
    /// The time of the newest change in seconds since 1970; nil if there is none.
    package var newestTime: Int?
    /// The names of the live documents in the server's environment.
    package var live: [String] = []

    package init() {}
}

extension DataFolder {
    /// Checks the folder and its database, and reads the database's state without changing it.
    ///
    /// - Returns: the state, and the content in an environment, which is nil if the database is
    ///   damaged; nil if there is no database.
    /// - Throws: ``StorageError`` if a server can't use the folder or the file.
    package static func inspect(
        _ folder: String,
        environment: String
    ) throws(StorageError) -> (StorageInspection, DocumentContents?)? {
        try Storage.of(folder).inspect(schemas) { database in
            var contents = DocumentContents()
            for table in ["administrationAudit", "plugboard_audit"]
            where try database.tableExists(table) {
                let time = try Int.fetchOne(database, sql: "SELECT max(at) FROM \(table)")
                contents.newestTime = [contents.newestTime, time].compactMap(\.self).max()
            }
            if try database.tableExists("plugboard_document") {
                contents.live = try String.fetchAll(
                    database,
                    sql: """
                        SELECT name FROM plugboard_document
                        WHERE environment = ? AND live IS NOT NULL ORDER BY name
                        """,
                    arguments: [environment]
                )
            }
            return contents
        }
    }
}
