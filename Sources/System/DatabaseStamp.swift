import Glibc

/// The state of a SQLite database's file and write-ahead log, for detecting changes.
package struct DatabaseStamp: Equatable, Sendable {
    private let file: FileStamp
    private let log: FileStamp?
    private let isRecent: Bool

    /// Reads the state of the database at a path; nil if there is none.
    package init?(_ path: String) {
        guard let file = FileStamp(path) else { return nil }
        self.file = file
        log = FileStamp(path + "-wal")
        let now = time(nil)
        isRecent = max(file.seconds, log?.seconds ?? 0) >= now - 1
    }

    /// Whether a further change would alter the stamp.
    ///
    /// File timestamps are coarse, so two writes within one tick look alike.
    package var isSettled: Bool { !isRecent }

    /// Compares the states, regardless of `isSettled`.
    package static func == (one: DatabaseStamp, other: DatabaseStamp) -> Bool {
        one.file == other.file && one.log == other.log
    }
}
