import Glibc

/// An open file descriptor, closed when the last reference to it goes.
package final class FileDescriptor: Sendable {
    package let raw: CInt
    private let share: DescriptorShare?

    /// Takes a descriptor over; it is given back to `share`, where it is of one, when it is closed.
    package init(_ raw: CInt, of share: DescriptorShare? = nil) {
        self.raw = raw
        self.share = share
    }

    deinit {
        Glibc.close(raw)
        share?.giveBack()
    }
}

extension FileDescriptor {
    /// Reads a part of a file; nil if it isn't there whole.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count, let start = buffer.baseAddress {
                let offset = off_t(range.lowerBound + count)
                let read = pread(raw, start + count, range.count - count, offset)
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    isWhole = false
                    return
                }
                count += read
            }
        }
        return isWhole ? bytes : nil
    }
}

/// A system call that failed: what was tried, and the system's word for why not.
package struct SystemError: Error, CustomStringConvertible {
    package let code: CInt
    package let operation: String

    package init(_ operation: String, code: CInt = errno) {
        self.code = code
        self.operation = operation
    }

    package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
