import Glibc
import Synchronization

/// The signals that come while a server starts, before its service group listens for them.
///
/// They are remembered, so that what has opened its sockets drains as it does later. Without, the
/// kernel would end the process, or, in a container's first process, do nothing at all.
enum EarlySignals {
    /// Whether the server was told to stop.
    static var tellToStop: Bool { haveCome.load(ordering: .relaxed) }

    /// Remembers from now on what tells to stop, until somebody else listens for it.
    ///
    /// A hangup has nothing to have read anew yet; it ends no server.
    static func remember() {
        // Here, since a handler mustn't be the one to make it.
        haveCome.store(false, ordering: .relaxed)
        for stopping in [SIGTERM, SIGINT] {
            signal(stopping) { _ in haveCome.store(true, ordering: .relaxed) }
        }
        signal(SIGHUP) { _ in }
    }
}

// A handler is a C function, which has no type around it.
private let haveCome = Atomic(false)
