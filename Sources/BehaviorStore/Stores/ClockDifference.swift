/// Whether the clocks of this machine and of a database differ.
struct ClockDifference {
    /// The seconds up to which clocks count as the same.
    static let tolerance = 2.0

    enum Event: Equatable {
        case began, ended
    }

    private var isLarge = false

    /// Takes the seconds by which this machine's clock is ahead; returns a change.
    mutating func update(_ skew: Double) -> Event? {
        let isLarge = abs(skew) > Self.tolerance
        defer { self.isLarge = isLarge }
        guard isLarge != self.isLarge else { return nil }
        return isLarge ? .began : .ended
    }

    /// Returns `3600 s ahead of` or `5 s behind`.
    static func text(_ skew: Double) -> String {
        "\(Int(abs(skew).rounded())) s \(skew > 0 ? "ahead of" : "behind")"
    }
}
