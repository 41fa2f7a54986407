package import GRDB

extension DatabaseQueue {
    /// A test's own connection to the file of a store that may be open, or be closing.
    ///
    /// It waits for the store's locks: the last connection locks the file while it closes
    /// (SQLite's write-ahead log, "Avoiding Excessively Large WAL Files").
    package static func beside(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(60)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
