import GRDB

/// A data folder that can't be used, and why.
package struct StorageError: Error, CustomStringConvertible {
    /// The folder.
    package let folder: String
    /// Why not.
    package let reason: String
    /// Whether others write for longer than was waited for, and it may be used in a moment.
    package let isBusy: Bool

    init(_ folder: String, _ reason: String, isBusy: Bool = false) {
        self.folder = folder
        self.reason = reason
        self.isBusy = isBusy
    }

    /// Nil where an error says nothing of the file, but of what was to be done with it.
    init?(_ folder: String, _ error: DatabaseError) {
        let reason = "\(error)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self.init(folder, reason, isBusy: true)
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_CORRUPT,
            .SQLITE_NOTADB:
            self.init(folder, reason)
        default: return nil
        }
    }

    /// Folder and reason, for people.
    package var description: String { "the database in \(folder) can't be used: \(reason)" }
}
