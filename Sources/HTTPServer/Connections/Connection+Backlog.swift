/// The bytes that wait for the client, and its progress in receiving them.
extension Connection {
    /// Counts the waiting output against the loop's limit.
    @inline(__always)
    func countWaiting() {
        let count = output.count
        guard count != waiting else { return }
        if count == 0 { backlog.forgetProgress() }
        loop.addWaiting(count - waiting, to: backlog)
        waiting = count
    }

    /// Measures the bytes that the client has received.
    func measureProgress() {
        backlog.measureProgress(received: acknowledged)
    }

    /// Whether a response of `count` bytes may be stored for this client.
    func allows(_ count: Int) -> Bool { loop.allows(count, for: backlog) }
}
