import Telemetry
import Testing

@Suite("Duration buckets")
struct DurationBucketsTests {
    @Test("the constants match the table, whose limits increase")
    func constants() {
        let limits = DurationBuckets.nanoseconds
        #expect(limits.count == DurationBuckets.count)
        #expect(limits.first == DurationBuckets.first)
        #expect(zip(limits, limits.dropFirst()).allSatisfy(<))
        #expect(DurationBuckets.seconds.first == 0.00001)
    }
}
