import Locking
import Testing

@testable import PostgreSQL

@Suite("A database's clock")
struct DatabaseClockTests {
    /// This machine's uptime and time, which a test sets.
    private final class Machine: Sendable {
        let times = Locked((uptime: 100.0, local: 5000.0))

        func makeClock() -> DatabaseClock {
            DatabaseClock(
                uptime: { [times] in times.withLock { $0.uptime } },
                local: { [times] in times.withLock { $0.local } }
            )
        }
    }

    @Test("there is no time before the first measurement")
    func unknown() {
        let clock = Machine().makeClock()
        #expect(clock.now == nil)
        #expect(clock.skew == nil)
    }

    @Test("the clock is the database's, whatever this machine's clock is")
    func advance() {
        let machine = Machine()
        let clock = machine.makeClock()
        clock.set(1000, asked: 5000)
        #expect(clock.now == 1000)
        machine.times.withLock {
            $0.uptime += 7
            $0.local += 3600
        }
        #expect(clock.now == 1007)
    }

    @Test("the response's time within the request's is no difference")
    func skew() {
        let machine = Machine()
        let clock = machine.makeClock()
        machine.times.withLock { $0.local = 5001 }
        clock.set(5000.5, asked: 5000)
        #expect(clock.skew == 0)
        clock.set(4990, asked: 5000)
        #expect(clock.skew == 10)
        clock.set(5011, asked: 5000)
        #expect(clock.skew == -10)
    }

    @Test("a connection and each heartbeat measure it", .withDatabase)
    func measured() async throws {
        let client = try TestDatabase.client()
        try await client.run("SELECT 1")
        let now = try #require(client.clock.now)
        let rows = try await client.run(
            "SELECT extract(epoch FROM clock_timestamp())::float8 AS clock"
        )
        let database: Double = try #require(try rows.first?.get("clock"))
        // It is late by at most the time of its measurement.
        #expect((0..<60).contains(database - now))
        #expect(client.clock.skew == 0)
    }
}
