import Plug
import Synchronization
import Testing

@Suite("Plugging while calls run")
struct ReplugTests {
    class Tell: Action<Int, Told> {}
    struct Told: Sendable, Equatable {
        var input: Int
        var plug: String
        var again: String
    }

    @Test("a million calls meet one plug or the other, each whole")
    func million() async throws {
        Tell.self <~ { Told(input: $0, plug: "one", again: "one") }
        let replugs = try await withThrowingTaskGroup(of: Void.self, returning: Int.self) { group in
            for first in 0..<4 {
                group.addTask {
                    for input in first * 250_000..<(first + 1) * 250_000 {
                        let told = try await action(Tell.self, input)
                        guard told.input == input, told.plug == told.again,
                            told.plug == "one" || told.plug == "two"
                        else {
                            Issue.record("torn: \(told) for \(input)")
                            return
                        }
                    }
                }
            }
            async let replugs = Self.replug()
            try await group.waitForAll()
            Self.stopped.store(true, ordering: .relaxed)
            return await replugs
        }
        #expect(replugs > 0)
    }

    private static let stopped = Atomic(false)

    private static func replug() async -> Int {
        var replugs = 0
        while !stopped.load(ordering: .relaxed) {
            Tell.self <~ { Told(input: $0, plug: "two", again: "two") }
            Tell.self <~ { Told(input: $0, plug: "one", again: "one") }
            replugs += 2
            await Task.yield()
        }
        return replugs
    }

    @Test("calls that race the first plug of an action find it or say that it is missing")
    func firstPlug() async throws {
        class Young: Action<Int, Int> {}
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        let sum = try await action(Young.self, 1)
                        #expect(sum == 2)
                    } catch is NotPlugged {
                        return
                    }
                }
                group.addTask { Young.self <~ { $0 + 1 } }
            }
            try await group.waitForAll()
        }
        #expect(try await action(Young.self, 1) == 2)
    }
}
