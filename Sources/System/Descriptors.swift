import Glibc
import Synchronization

/// How the process' descriptors are shared out.
///
/// Whoever could take the last one would keep all others from what they need one for: the listeners,
/// the database, and the system's own threads, which end the process without one.
package enum Descriptors {
    /// Opens `/dev/null` for each of the standard descriptors that is closed.
    ///
    /// Otherwise the next socket or database would become one of them, and logs would be written into it.
    package static func openStandard() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes all bytes, and waits for a slow reader of a pipe that is non-blocking.
    ///
    /// Returns the `errno` of a failed write; nil if all are written.
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

    /// As many as the system allows; the limit is raised to that when it is first asked for.
    package static let limit: Int = {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return .max }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }()

    /// The files that are being sent.
    package static let files = DescriptorShare(limit: fileShare(of: limit))

    static func fileShare(of limit: Int) -> Int { max(16, limit / 8) }

    /// The connections that there are descriptors for, when some are left for files and all else.
    ///
    /// A loop that can't accept could else do nothing about it: another one might have taken all.
    package static func places(for connections: Int, of limit: Int) -> Int {
        min(connections, max(1, limit - fileShare(of: limit) - max(32, limit / 16)))
    }
}

/// A number of descriptors that are taken and given back.
package final class DescriptorShare: Sendable {
    private let limit: Int
    private let taken = Atomic(0)

    package init(limit: Int) { self.limit = limit }

    /// The number of those that are taken.
    package var count: Int { taken.load(ordering: .relaxed) }

    /// Takes one, if there is one.
    package func take() -> Bool {
        if taken.add(1, ordering: .relaxed).newValue <= limit { return true }
        giveBack()
        return false
    }

    package func giveBack() { taken.subtract(1, ordering: .relaxed) }
}
