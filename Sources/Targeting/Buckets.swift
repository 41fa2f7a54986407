/// How hashes are spread: over buckets of equal width, with integers only.
///
/// A hash lies in bucket `hash × count ÷ 2³²`, the fraction dropped, of `count` buckets. So bucket
/// borders lie at the same hashes however finely they are drawn: 10 of 100 parts take the same users
/// as 10,000 of 100,000, and a part that grows keeps those it had.
enum Buckets {
    /// How many buckets a roll-out has: one is a thousandth of a percent.
    static let count: UInt32 = 100_000

    /// The bucket among so many that a hash lies in.
    static func bucket(of hash: UInt32, among count: UInt32 = Buckets.count) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(hash) &* UInt64(count)) &>> 32)
    }

    /// The buckets of a percentage, nil where it isn't within 0 and 100 or has more than three
    /// decimals.
    static func threshold(percent: Double) -> UInt32? {
        guard (0...100).contains(percent) else { return nil }
        let thousandths = (percent * 1_000).rounded()
        // The nearest number to a decimal is that decimal's whole number of thousandths, divided.
        guard thousandths / 1_000 == percent else { return nil }
        return UInt32(thousandths)
    }
}
