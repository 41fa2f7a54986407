import System
import Locking

/// The rows of one file of changes, as it has them.
struct AuditFile: Sendable {
    /// The rows.
    let rows: [AuditRow]
    /// Whether each row's number is greater than that of the one before, as it was written: somebody
    /// may have edited it.
    private let isInOrder: Bool

    init(_ rows: [AuditRow]) {
        self.rows = rows
        isInOrder = zip(rows, rows.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
    }

    /// The rows beyond that place.
    func rows(after place: Int) -> ArraySlice<AuditRow> {
        guard isInOrder else { return rows.filter { $0.sequence > place }[...] }
        return rows[rows.firstPlace { $0.sequence > place }...]
    }

    /// The rows below that place.
    func rows(before place: Int) -> ArraySlice<AuditRow> {
        guard isInOrder else { return rows.filter { $0.sequence < place }[...] }
        return rows[..<rows.firstPlace { $0.sequence >= place }]
    }
}

/// The file of many rows that was read last: an archive's, the one that a store took over, is walked
/// through page by page, and each page would read all of it.
///
/// It is kept as long as somebody walks: what wasn't asked for between so many calls of ``rest()`` is
/// let go.
final class AuditFileCache: Sendable {
    /// How many calls of ``rest()`` a walk may pause for: half a minute of a folder's looks at its files.
    static let patience = 75
    private struct Read: Sendable {
        let path: String
        let stamp: FileStamp
        let file: AuditFile
        /// How often there was ``AuditFileCache/rest()`` since somebody asked for it.
        var rests = 0
    }

    private let last = Locked<Read?>(nil)
    private let reads = Locked(0)
    /// Held while a file of many rows may be read: of two who ask for the same, the second has what the
    /// first one has read.
    private let reading = Locked(())

    init() {}

    /// How often a file was read.
    var readCount: Int { reads.withLock { $0 } }

    /// Whether a file's rows are kept.
    var isFull: Bool { last.withLock { $0 != nil } }

    /// Lets a file's rows go for which nobody has asked for a while.
    func rest() {
        last.withLock { last in
            last?.rests += 1
            if let rests = last?.rests, rests > Self.patience { last = nil }
        }
    }

    /// The rows of the file at a path: those that are known, where it is the same as then.
    func file(at path: String, reading body: () throws -> [AuditRow]) rethrows -> AuditFile {
        try reading.withLock { _ in
            // Taken first: what is written while it is read is another stamp's.
            let stamp = DirectoryFiles.stamp(path)
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
    /// The place of the first element that is so, where all behind the first one are so: the end where
    /// none is.
    func firstPlace(where isSo: (Element) throws -> Bool) rethrows -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if try isSo(self[middle]) { high = middle } else { low = index(after: middle) }
        }
        return low
    }
}
