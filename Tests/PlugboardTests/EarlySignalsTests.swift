import Glibc
import Testing

@testable import Plugboard

@Suite("Signals during a start", .serialized)
struct EarlySignalsTests {
    /// The address of what a signal calls; 0 where nobody has said anything.
    private func handler(_ number: CInt) -> Int {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }

    // No server handles this one.
    @Test("are recorded if they have no handler, then the default is restored")
    func remembered() {
        #expect(handler(SIGUSR2) == 0)
        EarlySignals.remember([SIGUSR2])
        #expect(handler(SIGUSR2) != 0)
        #expect(!EarlySignals.forget([SIGUSR2]))
        #expect(handler(SIGUSR2) == 0)
    }

    @Test("are left to an existing handler, such as another server's")
    func others() {
        defer { signal(SIGUSR2, SIG_DFL) }
        signal(SIGUSR2) { _ in }
        let theirs = handler(SIGUSR2)
        EarlySignals.remember([SIGUSR2])
        #expect(handler(SIGUSR2) == theirs)
        #expect(!EarlySignals.forget([SIGUSR2]))
        #expect(handler(SIGUSR2) == theirs)
    }
}
