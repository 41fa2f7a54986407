import System
import HTTPServer
import Locking

/// The files that are being sent: one that many are reading, and slowly, takes one descriptor.
///
/// Else a client with a hundred streams, each of which it leaves unread, would hold a hundred.
final class OpenFiles: Sendable {
    private struct Known {
        var files: [FileStamp: Weakly] = [:]
        /// With so many, those that are closed are looked for.
        var bound = 64
    }

    private struct Weakly {
        weak var descriptor: FileDescriptor?
    }

    private let known = Locked(Known())

    /// How many are known, those included that are closed since.
    var count: Int { known.withLock { $0.files.count } }

    /// The descriptor by which that state of a file is being sent already; from now on the one given,
    /// if there is none.
    func shared(_ descriptor: FileDescriptor, _ stamp: FileStamp) -> FileDescriptor {
        known.withLock { known in
            if let other = known.files[stamp]?.descriptor { return other }
            if known.files.count >= known.bound {
                known.files = known.files.filter { $0.value.descriptor != nil }
                known.bound = max(64, 2 * known.files.count)
            }
            known.files[stamp] = Weakly(descriptor: descriptor)
            return descriptor
        }
    }
}
