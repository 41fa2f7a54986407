/// A number of durations by their length, in microseconds.
///
/// Each power of two has four buckets, so a percentile is at most 25 % off. The last bucket has all
/// durations above a minute.
package struct DurationHistogram: Sendable, Equatable {
    /// The number of buckets.
    package static let bucketCount = 104

    /// The durations of each bucket.
    package private(set) var counts = [Int](repeating: 0, count: bucketCount)

    /// A histogram without durations.
    package init() {}

    /// Counts a duration.
    mutating func add(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        add(microseconds: seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000)
    }

    /// Counts a duration; a negative one counts as 0.
    package mutating func add(microseconds: Int64) {
        counts[Self.bucket(of: max(0, microseconds))] += 1
    }

    private static func bucket(of microseconds: Int64) -> Int {
        guard microseconds >= 4 else { return Int(microseconds) }
        let octave = Int64.bitWidth - 1 - microseconds.leadingZeroBitCount
        let quarter = Int(truncatingIfNeeded: microseconds >> (octave - 2)) & 3
        return min(4 * (octave - 1) + quarter, bucketCount - 1)
    }

    /// The lower limits of the buckets in microseconds, and the upper limit of the last one.
    package static let limits: [Double] = (0...bucketCount).map { index in
        guard index >= 4 else { return Double(index) }
        return Double((4 + index % 4) << (index / 4 - 1))
    }
}
