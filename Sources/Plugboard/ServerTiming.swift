import Tracing

/// What took the server how long, as a response's `Server-Timing` says where
/// ``Server/Configuration/serverTiming`` is on (W3C Server Timing §2).
///
/// The server's own members are `total`, `decode`, `action`, `encode` and `gzip`. An action or a
/// middleware adds more:
/// ```swift
/// let clock = ContinuousClock()
/// let took = try await clock.measure { try await database.read() }
/// ServerTiming.add("db", took)
/// ```
public enum ServerTiming {
    /// Adds a member to the response that the current task makes; nothing where that has none.
    ///
    /// - Parameters:
    ///   - name: a token (RFC 9110 §5.6.2), which everybody may read; anything else is left out.
    ///   - duration: how long it took.
    ///   - description: what a browser's tools show beside it; printable ASCII.
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
