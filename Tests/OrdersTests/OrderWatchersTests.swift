import Foundation
import Testing

@testable import Orders

@Suite("Watching an order")
struct OrderWatchersTests {
    private struct Failure: Error {}

    private func event(_ state: Order.State) -> WatchOrder.Event {
        WatchOrder.Event(state: state, at: Date(timeIntervalSince1970: 1))
    }

    @Test("an event that occurs while past events are read follows them, and is sent once")
    func meanwhile() async throws {
        let (watchers, id) = (OrderWatchers(), UUID())
        let stream = try await watchers.watch(id) {
            watchers.tell(event(.paid), of: id)
            return [event(.placed), event(.paid)]
        }
        var states: [Order.State] = []
        for try await event in stream { states.append(event.state) }
        #expect(states == [.placed, .paid])
        #expect(watchers.count(of: id) == 0)
    }

    @Test("an ended stream is removed from the watchers, and so is a failed one")
    func forgetting() async throws {
        let (watchers, id) = (OrderWatchers(), UUID())
        do {
            let stream = try await watchers.watch(id) { [event(.placed)] }
            #expect(watchers.count(of: id) == 1)
            withExtendedLifetime(stream) {}
        }
        #expect(watchers.count(of: id) == 0)
        await #expect(throws: Failure.self) {
            try await watchers.watch(id) { throw Failure() }
        }
        #expect(watchers.count(of: id) == 0)
        watchers.tell(event(.paid), of: id)
    }
}
