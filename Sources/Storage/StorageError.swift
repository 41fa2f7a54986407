import GRDB

/// The error of an unusable data folder.
public struct StorageError: Error, CustomStringConvertible {
    /// The folder.
    public let folder: String
    /// The cause.
    public let reason: String
    /// Whether other writers blocked the file for too long, so that a retry may succeed.
    public let isBusy: Bool

    init(_ folder: String, _ reason: String, isBusy: Bool = false) {
        self.folder = folder
        self.reason = reason
        self.isBusy = isBusy
    }

    /// Creates the folder's error for a library error; nil if the error isn't about the file.
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
    public var description: String { "the database in \(folder) can't be used: \(reason)" }
}
