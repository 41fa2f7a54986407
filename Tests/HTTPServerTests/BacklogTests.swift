import Testing

@testable import HTTPServer

@Suite("Bytes that wait for a client")
struct BacklogTests {
    private let backlog = Backlog()

    @Test("added and subtracted bytes add up")
    func stored() {
        backlog.add(100)
        backlog.add(50)
        backlog.add(-120)
        #expect(backlog.stored == 30)
    }

    @Test("a client is stalled if it received less than 1 KiB between two measurements")
    func stalled() {
        backlog.measureProgress(received: 5000)
        #expect(!backlog.hasStalled)
        backlog.measureProgress(received: 5000 + OutputBudget.minimumReceived)
        #expect(!backlog.hasStalled)
        backlog.measureProgress(received: 5000 + 2 * OutputBudget.minimumReceived - 1)
        #expect(backlog.hasStalled)
    }

    @Test("a client that continues to read is no longer stalled")
    func readsOn() {
        for _ in 0..<2 { backlog.measureProgress(received: 0) }
        #expect(backlog.hasStalled)
        backlog.measureProgress(received: 1_000_000)
        #expect(!backlog.hasStalled)
    }

    @Test("after a reset, progress is measured from the start")
    func forgotten() {
        for _ in 0..<2 { backlog.measureProgress(received: 0) }
        backlog.forgetProgress()
        #expect(!backlog.hasStalled)
        backlog.measureProgress(received: 0)
        #expect(!backlog.hasStalled)
    }
}
