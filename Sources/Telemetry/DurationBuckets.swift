/// The upper limits of the buckets of duration histograms.
package enum DurationBuckets {
    /// The limits in seconds.
    package static let seconds = nanoseconds.map { Double($0) / 1e9 }
    /// The limit of the first bucket in nanoseconds, with most requests.
    package static let first = 10_000
    /// The number of limits, a constant for the size of a table.
    package static let count = 19
    /// The limits in nanoseconds, the unit of measurement.
    package static let nanoseconds = [
        first, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000,
        2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
}
