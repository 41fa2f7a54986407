/// Maps hashes to buckets of equal width with integer arithmetic only.
///
/// Of `count` buckets, a hash is in bucket `hash × count ÷ 2³²`, rounded down. Bucket edges don't
/// depend on the count: 10 of 100 buckets hold the same users as 10,000 of 100,000. So a part that
/// grows retains its users.
enum Buckets {
    /// The number of buckets of a rollout; one bucket is a thousandth of a percent.
    static let count: UInt32 = 100_000

    /// Returns the hash's bucket, of `count` buckets.
    static func bucket(of hash: UInt32, among count: UInt32 = Buckets.count) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(hash) &* UInt64(count)) &>> 32)
    }

    /// Returns the number of buckets of a percentage; nil if it isn't within 0 and 100 or has more
    /// than three decimals.
    static func threshold(percent: Double) -> UInt32? {
        guard (0...100).contains(percent) else { return nil }
        let thousandths = (percent * 1_000).rounded()
        // The nearest `Double` to a decimal is its number of thousandths divided by 1,000.
        guard thousandths / 1_000 == percent else { return nil }
        return UInt32(thousandths)
    }
}
