/// The file of the write-ahead mark: two records that writes alternate between.
///
/// A write that the app's end cuts leaves the other record, the mark before. Each record is within
/// one page of 4 KiB, which systems write as a whole.
final class MarkFile {
    /// The size of a record's place.
    private static let place = 4_096

    private let descriptor: CInt
    private let synchronizes: Bool
    private var number: UInt64 = 0
    /// The mark when the file was opened; nil without a valid one.
    let found: RunMark?

    /// Opens the file, which locks the storage for this process.
    init(_ path: String, synchronizes: Bool) throws(StorageError) {
        descriptor = try PlatformFiles.openExclusively(path)
        self.synchronizes = synchronizes
        let bytes = PlatformFiles.read(descriptor, limit: 16 * Self.place) ?? []
        let records = [bytes.prefix(Self.place), bytes.dropFirst(Self.place).prefix(Self.place)]
        let newest = records.compactMap { CheckedBytes.read($0) }.max { $0.number < $1.number }
        // A foreign number near the end of the range must not stop later writes.
        let valid = newest.flatMap { $0.number < 1 << 62 ? $0 : nil }
        number = valid?.number ?? 0
        found = valid.flatMap { RunMark(bytes: $0.bytes) }
    }

    deinit { PlatformFiles.close(descriptor) }

    /// Writes a mark with one system call; returns whether it is written.
    func write(_ mark: RunMark) -> Bool {
        number += 1
        return PlatformFiles.write(
            CheckedBytes.record(mark.bytes, number: number),
            at: number.isMultiple(of: 2) ? 0 : Self.place,
            to: descriptor,
            synchronizing: synchronizes
        )
    }
}
