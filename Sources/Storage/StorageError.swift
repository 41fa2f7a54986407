/// A data folder that can't be used, and why.
package struct StorageError: Error, CustomStringConvertible {
    /// The folder.
    package let folder: String
    /// Why not.
    package let reason: String

    init(_ folder: String, _ reason: String) {
        self.folder = folder
        self.reason = reason
    }

    /// Folder and reason, for people.
    package var description: String { "the database in \(folder) can't be opened: \(reason)" }
}
