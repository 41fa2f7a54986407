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

    @Test("each of a million calls gets one plug or the other, never a mix")
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

    @Test("calls during an action's first plug succeed or throw NotPlugged")
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

/// The same as above with plans: no call is lost and none meets half of one.
@Suite("Changing plans while calls run")
struct ReplanTests {
    class Tell: Action<Int, ReplugTests.Told>, IdempotentAction {}

    private static let running = Atomic(4)

    /// A million calls take some seconds; where they are watched by a sanitizer, so many more that a
    /// hundred thousand of them do.
    @Test("each of a million calls gets one plan or the other, never a mix")
    func plans() async throws {
        Tell.named("one") <~ { ReplugTests.Told(input: $0, plug: "one", again: "one") }
        Tell.named("two") <~ { ReplugTests.Told(input: $0, plug: "two", again: "two") }
        Tell.self <~ "one"
        let plans: [PlugPlan] = [
            "two", .split(["one": 50, "two": 50]), .shadow("one", with: "two"),
            .fallback("one", "two"), .breaker("two"),
            .retry("one"), .timeout("two", seconds: 60),
        ]
        let end = ContinuousClock.now + .seconds(20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in 0..<4 {
                group.addTask {
                    defer { Self.running.wrappingSubtract(1, ordering: .relaxed) }
                    for count in 0..<250_000 {
                        if count >= 25_000, count % 1000 == 0, ContinuousClock.now > end { return }
                        let input = first * 250_000 + count
                        // Else calls that wait for nothing would be over before the first change.
                        if input % 16 == 0 { await Task.yield() }
                        let told = try await action(Tell.self, input)
                        guard told.input == input, told.plug == told.again else {
                            Issue.record("torn: \(told) for \(input)")
                            return
                        }
                    }
                }
            }
            group.addTask {
                let book = PlugCell.liveBook(of: Tell.self)
                var changes = 0
                while Self.running.load(ordering: .relaxed) > 0 {
                    try book.setLive(plans[changes % plans.count])
                    Tell.named("one") <~ { ReplugTests.Told(input: $0, plug: "one", again: "one") }
                    changes += 1
                    await Task.yield()
                }
                #expect(changes > 0)
            }
            try await group.waitForAll()
        }
        // The cell would keep the last of these plans for good.
        Tell.self <~ "one"
    }
}
