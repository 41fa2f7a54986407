import PlugHTTP
import Testing

@Suite("The range of rate limits")
struct RateLimitTests {
    @Test("the quota is clamped to a field's integers (RFC 9651 §3.3.1), the window to a year")
    func clamped() {
        #expect(
            RateLimit(.max, seconds: .max) == RateLimit(999_999_999_999_999, seconds: 31_536_000)
        )
        #expect(RateLimit(.min, seconds: .min) == RateLimit(1, seconds: 1))
        #expect(RateLimit(60, seconds: 60).quota == 60)
    }

    @Test("the named windows are a second, a minute, an hour and a day")
    func windows() {
        let limits: [RateLimit] = [.perSecond(5), .perMinute(5), .perHour(5), .perDay(5)]
        #expect(limits.map(\.seconds) == [1, 60, 3600, 86_400])
        #expect(limits.allSatisfy { $0.quota == 5 })
    }
}
