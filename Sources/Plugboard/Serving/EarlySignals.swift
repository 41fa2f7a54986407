import Glibc
import Synchronization

/// The signals that arrive at start-up, before the running server handles them.
///
/// They are recorded, so that a server with open sockets drains as it does later. By default, the
/// kernel would kill the process. It would ignore the signals for a container's first process.
enum EarlySignals {
    static let signals = [SIGTERM, SIGINT, SIGHUP, SIGUSR1]

    /// Whether a signal to stop has arrived.
    static var hasStopArrived: Bool { haveArrived.load(ordering: .relaxed) }

    /// Records the signals to stop, until another handler is installed.
    ///
    /// SIGHUP and SIGUSR1 don't stop a server; changed files are noticed without SIGHUP. Signals that already
    /// have a handler, such as another server's, keep it.
    static func remember(_ signals: [CInt] = signals) {
        // Initialised here: a signal handler mustn't do it.
        _ = hasStopArrived
        for number in signals where isDefault(number) {
            signal(number, [SIGHUP, SIGUSR1].contains(number) ? ignoring : remembering)
        }
    }

    /// Restores the default handlers, and returns whether a signal to stop has arrived.
    static func forget(_ signals: [CInt] = signals) -> Bool {
        for number in signals where isOurs(number) { signal(number, SIG_DFL) }
        return hasStopArrived
    }

    private static func isDefault(_ number: CInt) -> Bool { address(of: handler(number)) == 0 }

    private static func isOurs(_ number: CInt) -> Bool {
        let address = address(of: handler(number))
        return address == self.address(of: remembering) || address == self.address(of: ignoring)
    }

    private static func handler(_ number: CInt) -> (@convention(c) (CInt) -> Void)? {
        var action = sigaction()
        sigaction(number, nil, &action)
        return action.__sigaction_handler.sa_handler
    }

    private static func address(of handler: (@convention(c) (CInt) -> Void)?) -> Int {
        unsafeBitCast(handler, to: Int.self)
    }
}

// Global, since a signal handler is a C function without context.
private let haveArrived = Atomic(false)
private let remembering: @convention(c) (CInt) -> Void = { _ in
    haveArrived.store(true, ordering: .relaxed)
}
private let ignoring: @convention(c) (CInt) -> Void = { _ in }
