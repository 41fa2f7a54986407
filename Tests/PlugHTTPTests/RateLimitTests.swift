import PlugHTTP
import Testing

@Suite("Rate limits that are out of range")
struct RateLimitTests {
    @Test("the quota fits in a response's field (RFC 9651 §3.3.1), and the window is up to a year")
    func clamped() {
        #expect(
            RateLimit(.max, seconds: .max) == RateLimit(999_999_999_999_999, seconds: 31_536_000)
        )
        #expect(RateLimit(.min, seconds: .min) == RateLimit(1, seconds: 1))
        #expect(RateLimit(60, seconds: 60).quota == 60)
    }
}
