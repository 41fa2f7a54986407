/// The upper limits of the buckets of duration histograms.
package enum DurationBuckets {
    /// The limits in seconds.
    package static let seconds = nanoseconds.map { Double($0) / 1e9 }
    /// The limits in nanoseconds, the unit of measurement.
    package static let nanoseconds = [
        250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000,
        10_000_000_000,
    ]
}
