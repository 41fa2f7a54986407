import Glibc
import Synchronization

/// The signals that come while a server starts, before its service group listens for them.
///
/// They are remembered, so that what has opened its sockets drains as it does later. Without, the
/// kernel would end the process, or, in a container's first process, do nothing at all.
enum EarlySignals {
    static let signals = [SIGTERM, SIGINT, SIGHUP]

    /// Whether the process was told to stop; from then on it is.
    static var tellToStop: Bool { haveCome.load(ordering: .relaxed) }

    /// Remembers from now on what tells to stop, until somebody else listens for it.
    ///
    /// A hangup ends no server; what has changed of its files is noticed without. Where somebody
    /// listens already, such as the group of another server, that stays so: it isn't set again.
    static func remember(_ signals: [CInt] = signals) {
        // Here, since a handler mustn't be the one to make it.
        _ = tellToStop
        for number in signals where isDefault(number) {
            signal(number, number == SIGHUP ? ignoring : remembering)
        }
    }

    /// Leaves the signals as they were found, and tells whether the process was told to stop.
    static func forget(_ signals: [CInt] = signals) -> Bool {
        for number in signals where isOurs(number) { signal(number, SIG_DFL) }
        return tellToStop
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

// A handler is a C function, which has no type around it.
private let haveCome = Atomic(false)
private let remembering: @convention(c) (CInt) -> Void = { _ in
    haveCome.store(true, ordering: .relaxed)
}
private let ignoring: @convention(c) (CInt) -> Void = { _ in }
