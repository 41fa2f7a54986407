/// The limit of the bytes that wait for slow clients.
extension LoopResources {
    /// Adds to the bytes that wait for a client; negative to subtract.
    func addWaiting(_ bytes: Int, to backlog: Backlog) {
        counters.waiting.add(bytes)
        backlog.add(bytes)
        if outputBudget.isUnderPressure(counters.waiting.value) { registry?.measureProgress() }
    }

    /// Whether a response of `count` bytes may be stored for a client.
    ///
    /// Above the limit, stalled clients' connections are closed to make room.
    func allows(_ count: Int, for backlog: Backlog) -> Bool {
        let own = backlog.stored
        if outputBudget.allows(count, own: own, all: counters.waiting.value) { return true }
        guard outputBudget.allows(count, own: own, all: 0),
            registry?.makeRoom(beside: backlog) ?? false
        else { return false }
        return outputBudget.allows(count, own: own, all: counters.waiting.value)
    }
}
