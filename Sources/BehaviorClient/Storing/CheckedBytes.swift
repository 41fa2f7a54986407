import FNV

/// The hash of a document, by which revisions and contexts are distinguished.
enum ContentHash {
    /// Returns the hash and the size in hexadecimal, as in the server's entity tags:
    /// `1eda4acf1d136b72-326`.
    static func text(of bytes: [UInt8]) -> String {
        let digits = String(hash(of: bytes), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + "-"
            + String(bytes.count, radix: 16)
    }

    static func hash(of bytes: [UInt8]) -> UInt64 {
        var hash = FNV1a()
        hash.add(bytes)
        return hash.value
    }
}

/// Bytes after their size and hash, so that a torn or foreign file counts as missing.
enum CheckedBytes {
    /// The size of the record before the bytes.
    static let headSize = 24

    /// Returns a record: a number, the size, the hash of all, and the bytes.
    static func record(_ bytes: [UInt8], number: UInt64 = 0) -> [UInt8] {
        let head = words(number) + words(UInt64(bytes.count))
        return head + words(ContentHash.hash(of: head + bytes)) + bytes
    }

    /// Returns the number and the bytes of a record; nil if it isn't one.
    ///
    /// Bytes after the record are ignored.
    static func read(_ record: ArraySlice<UInt8>) -> (number: UInt64, bytes: [UInt8])? {
        guard record.count >= headSize else { return nil }
        let start = record.startIndex
        let number = word(record[start..<start + 8])
        let size = word(record[start + 8..<start + 16])
        guard size <= UInt64(record.count - headSize) else { return nil }
        let bytes = Array(record[(start + headSize)..<(start + headSize + Int(size))])
        let head = Array(record[start..<start + 16])
        guard word(record[start + 16..<start + 24]) == ContentHash.hash(of: head + bytes) else {
            return nil
        }
        return (number, bytes)
    }

    private static func words(_ value: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
