/// The range of a client's timeouts.
enum Timeout {
    /// A year: no sum with a clock's time overflows, and its milliseconds fit in a field.
    static let maximum = Duration.seconds(365 * 86_400)

    /// Returns a duration between zero and ``maximum``.
    static func clamped(_ duration: Duration) -> Duration { min(max(.zero, duration), maximum) }
}
