import Glibc

/// An open file descriptor; the last reference closes it.
package final class FileDescriptor: Sendable {
    package let raw: CInt
    private let share: DescriptorShare?

    /// Takes ownership of a descriptor.
    ///
    /// Closing it releases its place in `share`.
    package init(_ raw: CInt, of share: DescriptorShare? = nil) {
        self.raw = raw
        self.share = share
    }

    deinit {
        Glibc.close(raw)
        share?.returnDescriptors()
    }

    /// Reads a file from `offset`.
    ///
    /// - Returns: The number of bytes; fewer than `count` if the file is shorter or a read fails.
    package func read(_ count: Int, at offset: Int, to place: UnsafeMutablePointer<UInt8>) -> Int {
        var done = 0
        while done < count {
            let read = pread(raw, place + done, count - done, off_t(offset + done))
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { break }
            done += read
        }
        return done
    }

    /// Reads a range of a file; nil if the file is shorter or a read fails.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        // All empty arrays share their storage, and `unsafeUninitializedCapacity` writes its count.
        guard !range.isEmpty else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            guard let place = buffer.baseAddress else { return }
            count = read(range.count, at: range.lowerBound, to: place)
        }
        return bytes.count == range.count ? bytes : nil
    }
}
