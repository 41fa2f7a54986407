/// The bytes that wait for one client, and the client's progress in receiving them.
///
/// `@exclusivity(unchecked)`: see `LoopResources`.
final class Backlog {
    /// The waiting bytes: finished responses, pieces, and bytes that the socket hasn't accepted.
    @exclusivity(unchecked) private(set) var stored = 0
    /// The bytes that the client had received when its progress was measured last; nil if it wasn't.
    @exclusivity(unchecked) private var receivedBefore: Int?
    /// Whether the client received too little between the last two measurements.
    @exclusivity(unchecked) private(set) var hasStalled = false

    /// Adds to the waiting bytes; negative to subtract.
    func add(_ bytes: Int) { stored += bytes }

    /// Forgets the measurements when nothing waits for the client any more.
    func forgetProgress() {
        receivedBefore = nil
        hasStalled = false
    }

    /// Measures the client's progress by the number of bytes that it has received so far.
    func measureProgress(received: Int) {
        hasStalled = receivedBefore.map { received - $0 < OutputBudget.minimumReceived } ?? false
        receivedBefore = received
    }
}
