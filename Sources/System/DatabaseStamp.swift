import Glibc

/// What tells the states of a database's file apart, its log of what was written last included.
package struct DatabaseStamp: Equatable, Sendable {
    private let file: FileStamp
    private let log: FileStamp?
    private let isRecent: Bool

    /// The state of the database at a path; nil where there is none.
    package init?(_ path: String) {
        guard let file = FileStamp(path) else { return nil }
        self.file = file
        log = FileStamp(path + "-wal")
        let now = time(nil)
        isRecent = max(file.seconds, log?.seconds ?? 0) >= now - 1
    }

    /// Whether a further change shows: a clock of files ticks slowly, and within one of its ticks
    /// two writes look like one.
    package var isSettled: Bool { !isRecent }

    /// Whether it is the same state, however long ago.
    package static func == (one: DatabaseStamp, other: DatabaseStamp) -> Bool {
        one.file == other.file && one.log == other.log
    }
}
