import JSONCodec
import Locking
import PlugHTTP
import Testing

@testable import Plugboard

@Suite("Rate limits")
struct RateLimiterTests {
    private let clock = Locked(0)

    private func limiter(_ limit: RateLimit, atMost count: Int = 100) -> RateLimiter {
        let clock = clock
        return RateLimiter("test", limit, atMost: count) { clock.withLock { $0 } }
    }

    private func pass(seconds: Int) { clock.withLock { $0 += seconds * 1_000_000_000 } }

    @Test("each call uses the quota, which is restored after the window")
    func window() {
        let limiter = limiter(RateLimit(2, seconds: 10))
        #expect(limiter.take(.nobody) == .init(isWithin: true, remaining: 1, reset: 10))
        pass(seconds: 4)
        #expect(limiter.take(.nobody) == .init(isWithin: true, remaining: 0, reset: 6))
        #expect(limiter.take(.nobody) == .init(isWithin: false, remaining: 0, reset: 6))
        pass(seconds: 5)
        #expect(limiter.take(.nobody) == .init(isWithin: false, remaining: 0, reset: 1))
        pass(seconds: 1)
        #expect(limiter.take(.nobody) == .init(isWithin: true, remaining: 1, reset: 10))
    }

    @Test("a check uses no quota")
    func look() {
        let limiter = limiter(.perMinute(1))
        for _ in 0..<3 { #expect(limiter.take(.nobody, count: 0).isWithin) }
        #expect(limiter.take(.nobody).isWithin)
        #expect(!limiter.take(.nobody, count: 0).isWithin)
    }

    @Test("each caller has a separate quota")
    func callers() {
        let limiter = limiter(.perMinute(1))
        #expect(limiter.take(.caller(ExactName(text: "ada"))).isWithin)
        #expect(limiter.take(.caller(ExactName(text: "bob"))).isWithin)
        #expect(!limiter.take(.caller(ExactName(text: "ada"))).isWithin)
    }

    @Test("beyond the limit of callers only the most recent ones are stored")
    func bounded() {
        let limiter = limiter(.perMinute(1), atMost: 100)
        #expect(limiter.take(.caller(ExactName(text: "ada"))).isWithin)
        for number in 0..<40 { _ = limiter.take(.caller(ExactName(text: "\(number)"))) }
        #expect(!limiter.take(.caller(ExactName(text: "ada"))).isWithin)
        for number in 0..<200 { _ = limiter.take(.caller(ExactName(text: "other \(number)"))) }
        #expect(limiter.take(.caller(ExactName(text: "ada"))).isWithin)
    }
}
