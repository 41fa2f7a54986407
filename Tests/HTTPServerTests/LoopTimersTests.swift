import Testing

@testable import HTTPServer

@Suite("Timers of a loop")
struct LoopTimersTests {
    private let entries = (0..<3).map { TimerEntry(token: UInt64($0)) }

    private func timers() -> LoopTimers {
        var configuration = HTTPConfiguration()
        configuration.idleTimeout = 5
        configuration.headTimeout = 2
        return LoopTimers(configuration)
    }

    private func expired(_ timers: inout LoopTimers, _ kind: TimerKind, now: Int) -> [UInt64] {
        var tokens: [UInt64] = []
        while let entry = timers.takeExpired(kind, now: now) { tokens.append(entry.token) }
        return tokens
    }

    @Test("timers of a kind expire in the order of arming")
    func order() {
        var timers = timers()
        for (index, entry) in entries.enumerated() { timers.arm(entry, .idle, now: index) }
        #expect(timers.due == 5000)
        #expect(expired(&timers, .idle, now: 4999) == [])
        #expect(expired(&timers, .idle, now: 5001) == [0, 1])
        #expect(entries.map(\.timer) == [nil, nil, .idle])
        #expect(timers.due == 5002)
        #expect(expired(&timers, .idle, now: 5002) == [2])
        #expect(timers.due == .max)
    }

    @Test("arming again restarts the timer")
    func restart() {
        var timers = timers()
        for entry in entries { timers.arm(entry, .idle, now: 0) }
        timers.arm(entries[0], .idle, now: 10)
        #expect(expired(&timers, .idle, now: 5000) == [1, 2])
        #expect(expired(&timers, .idle, now: 5010) == [0])
    }

    @Test("an entry has one timer: arming another kind disarms the first")
    func kinds() {
        var timers = timers()
        timers.arm(entries[0], .idle, now: 0)
        timers.arm(entries[0], .head, now: 0)
        #expect(timers.due == 2000)
        #expect(expired(&timers, .idle, now: .max) == [])
        #expect(expired(&timers, .head, now: 2000) == [0])
    }

    @Test("a disarmed timer never expires, from any place in the queue", arguments: 0..<3)
    func disarm(index: Int) {
        var timers = timers()
        for entry in entries { timers.arm(entry, .idle, now: 0) }
        timers.arm(entries[index], nil, now: 0)
        // Disarming again changes nothing.
        timers.arm(entries[index], nil, now: 0)
        let others = [0, 1, 2].filter { $0 != UInt64(index) }
        #expect(expired(&timers, .idle, now: 5000) == others)
    }

    @Test("the oldest timer of a kind is found by the time of its arming")
    func oldest() {
        var timers = timers()
        #expect(timers.oldest(.idle, armedBy: .max)?.token == nil)
        timers.arm(entries[1], .idle, now: 100)
        timers.arm(entries[0], .idle, now: 200)
        #expect(timers.oldest(.idle, armedBy: 99)?.token == nil)
        #expect(timers.oldest(.idle, armedBy: 100)?.token == 1)
        #expect(timers.oldest(.head, armedBy: 200)?.token == nil)
    }
}
