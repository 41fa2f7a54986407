import HTTPSyntax
import Locking
import Testing

@testable import Plugboard

@Suite("The limits of failed sign-ins")
struct SignInLimitsTests {
    private let clock = Locked(0)
    private let limits: SignInLimits

    init() {
        let clock = clock
        limits = SignInLimits(clock: { clock.withLock { $0 } })
    }

    private func address(_ number: Int) -> RateLimiter.Key {
        .address(IPAddress(ipv4: 0xC000_0200 + UInt32(number)))
    }

    @Test("an address has 30 failures a minute, and other addresses go on")
    func ofAddress() throws {
        for _ in 0..<30 {
            try limits.check(address(1))
            limits.countFailure(of: address(1))
        }
        #expect(throws: RateLimits.Exceeded.self) { try limits.check(address(1)) }
        try limits.check(address(2))
        clock.withLock { $0 += 60_000_000_000 }
        try limits.check(address(1))
    }

    @Test("all addresses together have 1,000 failures a minute")
    func ofAll() throws {
        for number in 0..<1_000 {
            try limits.check(address(number / 30))
            limits.countFailure(of: address(number / 30))
        }
        #expect(throws: RateLimits.Exceeded.self) { try limits.check(address(200)) }
        clock.withLock { $0 += 60_000_000_000 }
        try limits.check(address(200))
    }

    @Test("a check counts nothing, so successes don't")
    func successes() throws {
        for _ in 0..<2_000 { try limits.check(address(1)) }
    }
}
