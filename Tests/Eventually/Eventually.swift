/// Waits for what has to come true, for as long as a loaded machine may take for it.
///
/// For what tells nobody that it has happened: all else is waited for as an event.
///
/// - Parameters:
///   - what: The condition's description for the error message.
///   - condition: Evaluated repeatedly.
/// - Throws: ``NotInTime``, the condition's error, or `CancellationError` if the test's own time is
///   over.
package func eventually(
    _ what: String,
    _ condition: () async throws -> Bool
) async throws {
    let limit = Duration.seconds(120)
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NotInTime("not within \(limit): \(what)") }
        // Frees the processor for the code that fulfils the condition.
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// The condition wasn't fulfilled within the time limit.
package struct NotInTime: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
