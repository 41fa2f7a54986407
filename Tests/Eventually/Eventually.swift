/// Waits for what has to come true, for as long as a loaded machine may take for it.
///
/// For what tells nobody that it has happened: all else is waited for as an event.
///
/// - Parameters:
///   - what: what is waited for, as it is told where it doesn't come true.
///   - condition: looked at again and again.
/// - Throws: ``NotInTime``, what the condition throws, or `CancellationError` where the test's own
///   time is over.
package func eventually(
    _ what: String,
    _ condition: () async throws -> Bool
) async throws {
    let limit = Duration.seconds(120)
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NotInTime("not within \(limit): \(what)") }
        // Those on whom it depends have the processor meanwhile.
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// What was waited for hasn't come.
package struct NotInTime: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
