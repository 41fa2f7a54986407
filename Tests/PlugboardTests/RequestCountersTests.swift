import Telemetry
import Testing

@testable import Plugboard

@Suite("A loop's request counters")
struct RequestCountersTests {
    private func key(_ route: Int, status: UInt16 = 200) -> RequestCounters.Key {
        RequestCounters.Key(route: route, method: 3, status: status, isCall: true)
    }

    @Test("a key returns its parts")
    func keys() {
        let key = RequestCounters.Key(route: 70_000, method: 9, status: 599, isCall: true)
        #expect(key.route == 70_000)
        #expect(key.method == 9)
        #expect(key.status == 599)
        #expect(key.isCall)
        #expect(key != RequestCounters.Key(route: 70_000, method: 9, status: 599, isCall: false))
    }

    @Test("a duration is in the first bucket whose limit it doesn't exceed")
    func buckets() throws {
        let counters = RequestCounters()
        for duration in [0, 10_000, 10_001, 50_000, 11_000_000_000] {
            counters.count(key(1), nanoseconds: duration)
        }
        let total = try #require(counters.totals().first?.total)
        #expect(total.counts.count == DurationBuckets.seconds.count + 1)
        #expect(total.counts.prefix(3) == [2, 1, 1])
        #expect(total.counts.last == 1)
        #expect(total.nanoseconds == 11_000_070_001)
    }

    @Test("each key has its own series, in any number and order")
    func series() {
        let counters = RequestCounters()
        for round in 1...3 {
            for route in 0..<100 where route % round == 0 {
                counters.count(key(route), nanoseconds: 1)
            }
        }
        let counts = Dictionary(
            uniqueKeysWithValues: counters.totals().map { ($0.key.route, $0.total.counts[0]) }
        )
        #expect(counts.count == 100)
        for route in 0..<100 {
            #expect(counts[route] == (1...3).count { route % $0 == 0 })
        }
    }

    @Test("other threads can read while the loop counts")
    func concurrent() async {
        let counters = RequestCounters()
        await withTaskGroup { group in
            group.addTask {
                for index in 0..<20_000 { counters.count(self.key(index % 50), nanoseconds: index) }
            }
            group.addTask {
                for _ in 0..<200 {
                    let seen = counters.totals().reduce(0) { $0 + $1.total.counts.reduce(0, +) }
                    #expect(seen <= 20_000)
                }
            }
        }
        #expect(counters.totals().reduce(0) { $0 + $1.total.counts.reduce(0, +) } == 20_000)
    }
}
