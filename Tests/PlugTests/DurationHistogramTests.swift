import Testing

@testable import Plug

@Suite("Histograms of durations")
struct DurationHistogramTests {
    private func bucket(_ microseconds: Int64) -> Int? {
        var histogram = DurationHistogram()
        histogram.add(microseconds: microseconds)
        return histogram.counts.firstIndex(of: 1)
    }

    @Test("each duration is in the bucket whose limits enclose it, at most 25 % apart")
    func limits() throws {
        let limits = DurationHistogram.limits
        #expect(limits == limits.sorted() && Set(limits).count == limits.count)
        #expect(limits.count == DurationHistogram.bucketCount + 1)
        let samples = (0...30).flatMap { shift in [-1, 0, 1].map { (Int64(1) << shift) + $0 } }
        for duration in samples where Double(duration) < limits[DurationHistogram.bucketCount - 1] {
            let bucket = try #require(self.bucket(duration))
            #expect(limits[bucket] <= Double(duration) && Double(duration) < limits[bucket + 1])
            if duration >= 4 { #expect(limits[bucket + 1] / limits[bucket] <= 1.25) }
        }
    }

    @Test("a negative duration counts as 0, and the longest are in the last bucket")
    func extremes() {
        #expect(bucket(-1) == 0 && bucket(.min) == 0)
        #expect(bucket(.max) == DurationHistogram.bucketCount - 1)
        var histogram = DurationHistogram()
        histogram.add(.seconds(Int64.max / 4_000_000))
        histogram.add(.nanoseconds(999))
        histogram.add(.milliseconds(1))
        #expect(histogram.counts[0] == 1 && histogram.counts.last == 1)
        #expect(histogram.counts.reduce(0, +) == 3)
    }
}
