import System
import Locking

/// The audit rows of one change file, in the file's order.
struct AuditFile: Sendable {
    /// The rows.
    let rows: [AuditRow]
    /// Whether the row numbers increase through the file; an edited file may be out of order.
    private let isInOrder: Bool

    init(_ rows: [AuditRow]) {
        self.rows = rows
        isInOrder = zip(rows, rows.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
    }

    /// Returns the rows after that place.
    func rows(after place: Int) -> ArraySlice<AuditRow> {
        guard isInOrder else { return rows.filter { $0.sequence > place }[...] }
        return rows[rows.firstPlace { $0.sequence > place }...]
    }

    /// Returns the rows before that place.
    func rows(before place: Int) -> ArraySlice<AuditRow> {
        guard isInOrder else { return rows.filter { $0.sequence < place }[...] }
        return rows[..<rows.firstPlace { $0.sequence >= place }]
    }
}

/// A cache of the change file with many rows that was read last.
///
/// An imported archive is one such file: a client pages through it, and each page would read all
/// of it.
///
/// The file is dropped after ``patience`` calls of ``rest()`` without a request for it.
final class AuditFileCache: Sendable {
    /// How many calls of ``rest()`` the pages may be apart: half a minute of a folder's polling.
    static let patience = 75
    private struct Read: Sendable {
        let path: String
        let stamp: FileStamp
        let file: AuditFile
        /// The number of calls of ``AuditFileCache/rest()`` since the last request for the file.
        var rests = 0
    }

    private let last = Locked<Read?>(nil)
    private let reads = Locked(0)
    /// Locked while a file is read: of two concurrent requests for a file, the second uses the
    /// first one's result.
    private let reading = Locked(())

    init() {}

    /// The number of file reads.
    var readCount: Int { reads.withLock { $0 } }

    /// Whether a file's rows are cached.
    var isFull: Bool { last.withLock { $0 != nil } }

    /// Counts a pause, and drops the cached rows after ``patience`` of them.
    func rest() {
        last.withLock { last in
            last?.rests += 1
            if let rests = last?.rests, rests > Self.patience { last = nil }
        }
    }

    /// Returns the rows of the file at a path: the cached ones if the file hasn't changed.
    func file(at path: String, reading body: () throws -> [AuditRow]) rethrows -> AuditFile {
        try reading.withLock { _ in
            // The stamp comes first: a write during the read then shows as a different stamp.
            let stamp = DurableFiles.stamp(path)
            if let stamp, let known = known(path, stamp) { return known }
            reads.withLock { $0 += 1 }
            let file = AuditFile(try body())
            if let stamp, file.rows.count > 1 {
                last.withLock { $0 = Read(path: path, stamp: stamp, file: file) }
            }
            return file
        }
    }

    private func known(_ path: String, _ stamp: FileStamp) -> AuditFile? {
        last.withLock { last in
            guard let known = last, known.path == path, known.stamp == stamp else { return nil }
            last?.rests = 0
            return known.file
        }
    }
}

extension RandomAccessCollection {
    /// The place of the first element that satisfies a condition; the end if none does.
    ///
    /// All elements after the first one that satisfies it must satisfy it too (binary search).
    func firstPlace(where isSo: (Element) throws -> Bool) rethrows -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if try isSo(self[middle]) { high = middle } else { low = index(after: middle) }
        }
        return low
    }
}
