import Glibc
import Synchronization

/// The process's descriptors and their division among uses.
///
/// Limits for files and connections leave descriptors for listeners, the database, and the system's
/// own threads, which end the process without one.
package enum Descriptors {
    /// Opens `/dev/null` for each standard descriptor that is closed.
    ///
    /// Otherwise the next socket or database would get that number, and logs would be written to
    /// it.
    package static func openStandard() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes all bytes; waits for a slow reader if the descriptor is non-blocking.
    ///
    /// Returns the `errno` of a failed write; nil on success.
    package static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt? {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// The system's limit of descriptors; the first access raises the soft limit to it.
    package static let limit: Int = {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return .max }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }()

    /// The share of files that are being sent.
    package static let files = DescriptorShare(limit: fileShare(of: limit))

    static func fileShare(of limit: Int) -> Int { max(16, limit / 8) }

    /// Returns the number of connections for which there are descriptors, besides files and other
    /// uses.
    ///
    /// Without this limit another part of the process could take the last descriptor, and the loop
    /// couldn't accept.
    package static func places(for connections: Int, of limit: Int) -> Int {
        min(connections, max(1, limit - fileShare(of: limit) - max(32, limit / 16)))
    }
}

/// A limited number of descriptors for one use.
package final class DescriptorShare: Sendable {
    private let limit: Int
    private let taken = Atomic(0)

    package init(limit: Int) { self.limit = limit }

    /// The number of descriptors in use.
    package var count: Int { taken.load(ordering: .relaxed) }

    /// Reserves a descriptor; returns false if none is left.
    package func take() -> Bool {
        if taken.add(1, ordering: .relaxed).newValue <= limit { return true }
        returnDescriptors()
        return false
    }

    package func returnDescriptors() { taken.subtract(1, ordering: .relaxed) }
}
