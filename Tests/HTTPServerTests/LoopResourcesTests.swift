import HTTPSyntax
import Testing

@testable import HTTPServer

@Suite("The resources of a loop")
struct LoopResourcesTests {
    @Test("the Date line has the field's value and a line end (RFC 9110 §6.6.1, §5.6.7)")
    func date() throws {
        let loop = try testResources()
        let line = loop.dateLine.text
        #expect(line.utf8.count == 37)
        #expect(line.hasPrefix("Date: "))
        #expect(line.hasSuffix(" GMT\r\n"))
    }

    @Test("each loop has its share of the budgets, and room for at least one body")
    func shares() throws {
        let loop = try testResources { configuration in
            configuration.loops = 4
            configuration.bodyBudget = 8000
            configuration.outputBudget = 400
        }
        #expect(loop.bodyBudget == 2000)
        #expect(loop.outputBudget.limit == 100)
        #expect(loop.counters.limits.bodies == 2000)
        #expect(loop.counters.limits.responses == 100)
        let small = try testResources { $0.bodyBudget = 1 }
        #expect(small.bodyBudget == small.responder.bodyLimit)
    }

    @Test("a slow client's limits are the rate times the timeout")
    func rates() throws {
        let loop = try testResources { configuration in
            configuration.minimumRate = 10
            configuration.bodyTimeout = 3
            configuration.writeTimeout = 5
        }
        #expect(loop.minimumBodyProgress == 30)
        #expect(loop.minimumTaken == 50)
    }

    @Test("waiting bytes count for the loop and for their client")
    func waiting() throws {
        let loop = try testResources { $0.outputBudget = 1_000_000 }
        let (one, other) = (Backlog(), Backlog())
        loop.addWaiting(300_000, to: one)
        loop.addWaiting(700_000, to: other)
        loop.addWaiting(-100_000, to: other)
        #expect(loop.counters.waiting.value == 900_000)
        #expect([one.stored, other.stored] == [300_000, 600_000])
    }

    @Test("above the output budget only small responses are allowed")
    func budget() throws {
        let loop = try testResources { $0.outputBudget = 1_000_000 }
        let (one, other) = (Backlog(), Backlog())
        #expect(loop.allows(5_000_000, for: one))
        loop.addWaiting(1_000_000, to: other)
        #expect(!loop.allows(OutputBudget.share + 1, for: one))
        #expect(loop.allows(OutputBudget.share, for: one))
    }

    @Test("a stalled client makes room for another client's response")
    func room() throws {
        final class Registry: ConnectionRegistry {
            let exceedsLimit = false
            let loop: LoopResources
            let stalled = Backlog()
            var measurements = 0

            init(_ loop: LoopResources) { self.loop = loop }

            func complete(_ exchange: ExchangeID, _ response: Response) -> OutgoingBody? { nil }

            func measureProgress() { measurements += 1 }

            func makeRoom(beside backlog: Backlog) -> Bool {
                guard stalled.stored > 0, backlog !== stalled else { return false }
                loop.addWaiting(-stalled.stored, to: stalled)
                return true
            }

            func admit(_ fd: CInt, _ client: IPAddress) -> Bool { true }

            func warn(_ message: @autoclosure () -> String) {}

            func remove(_ token: UInt64) {}
        }
        let loop = try testResources { $0.outputBudget = 1_000_000 }
        let registry = Registry(loop)
        loop.registry = registry
        defer { loop.registry = nil }
        loop.addWaiting(500_000, to: registry.stalled)
        #expect(registry.measurements == 0)
        loop.addWaiting(500_001, to: registry.stalled)
        #expect(registry.measurements == 1)
        #expect(!loop.allows(100_000, for: registry.stalled))
        #expect(loop.allows(100_000, for: Backlog()))
        #expect(registry.stalled.stored == 0)
    }
}
