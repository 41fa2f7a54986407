import System
import HTTPServer
import Locking

/// The files that are being sent.
///
/// All responses with the same file share one descriptor.
///
/// Otherwise a client with a hundred unread streams would use a hundred descriptors.
final class OpenFiles: Sendable {
    private struct Known {
        var files: [FileStamp: WeakReference] = [:]
        /// The number of entries at which closed files are removed.
        var bound = 64
    }

    private struct WeakReference {
        weak var descriptor: FileDescriptor?
    }

    private let known = Locked(Known())

    /// The number of entries, including files that are closed since.
    var count: Int { known.withLock { $0.files.count } }

    /// Returns the open descriptor of that file version; without one, it stores and returns the
    /// given one.
    func shared(_ descriptor: FileDescriptor, _ stamp: FileStamp) -> FileDescriptor {
        known.withLock { known in
            if let other = known.files[stamp]?.descriptor { return other }
            if known.files.count >= known.bound {
                known.files = known.files.filter { $0.value.descriptor != nil }
                known.bound = max(64, 2 * known.files.count)
            }
            known.files[stamp] = WeakReference(descriptor: descriptor)
            return descriptor
        }
    }
}
