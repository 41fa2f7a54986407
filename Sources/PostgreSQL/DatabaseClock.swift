import Glibc
import Locking

/// A database's clock, measured with each new connection and each heartbeat.
///
/// Between two measurements it advances with this machine's uptime, so that a wrong or changed
/// clock of this machine has no effect.
public final class DatabaseClock: Sendable {
    private struct Measurement {
        /// The database's time in seconds since 1970.
        let time: Double
        /// This machine's uptime when the response arrived: the clock is late, never early.
        let uptime: Double
        /// The seconds by which this machine's clock is ahead of the database's; 0 within the
        /// time of the request.
        let skew: Double
    }

    private let measured = Locked<Measurement?>(nil)
    private let uptime: @Sendable () -> Double
    private let local: @Sendable () -> Double

    /// Creates a clock from this machine's uptime and time in seconds.
    init(
        uptime: @escaping @Sendable () -> Double = { DatabaseClock.seconds(CLOCK_BOOTTIME) },
        local: @escaping @Sendable () -> Double = { DatabaseClock.seconds(CLOCK_REALTIME) }
    ) {
        self.uptime = uptime
        self.local = local
    }

    /// The database's time in seconds since 1970; nil before the first connection.
    public var now: Double? {
        measured.withLock { $0 }.map { $0.time + (uptime() - $0.uptime) }
    }

    /// The seconds by which this machine's clock is ahead of the database's, at the last
    /// measurement; nil before the first connection.
    public var skew: Double? { measured.withLock { $0 }?.skew }

    /// This machine's time before a request for the database's time.
    var localTime: Double { local() }

    /// Sets the clock by the time that the database sent; `asked` is this machine's time before the
    /// request.
    func set(_ time: Double, asked: Double) {
        let received = local()
        // The response's time is within the request's: only the rest is a difference.
        let skew = time < asked ? asked - time : min(0, received - time)
        let measurement = Measurement(time: time, uptime: uptime(), skew: skew)
        measured.withLock { $0 = measurement }
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
