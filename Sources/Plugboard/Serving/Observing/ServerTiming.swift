import Tracing

/// The durations in a response's `Server-Timing` field (W3C Server Timing §2).
///
/// ``Server/Configuration/serverTiming`` turns the field on. The server's own members are `total`,
/// `decode`, `action`, `encode` and `gzip`. An action or a middleware adds more:
/// ```swift
/// let clock = ContinuousClock()
/// let took = try await clock.measure { try await database.read() }
/// ServerTiming.add("db", took)
/// ```
public enum ServerTiming {
    /// Adds a member to the response of the current task, if `Server-Timing` is on.
    ///
    /// - Parameters:
    ///   - name: a token (RFC 9110 §5.6.2), visible to every client. Other text is dropped.
    ///   - duration: the duration to report.
    ///   - description: text that a browser's tools show beside it, in printable ASCII.
    public static func add(_ name: String, _ duration: Duration, description: String? = nil) {
        let (seconds, attoseconds) = duration.components
        let whole = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        guard !whole.overflow, !sum.overflow else { return }
        ServiceContext.current?.timings?.add(
            name,
            nanoseconds: sum.partialValue,
            description: description
        )
    }
}
