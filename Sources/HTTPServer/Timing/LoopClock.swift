import Glibc
import HTTPSyntax

/// A loop's time, read once per tick.
struct LoopClock {
    /// The length of `Date: Sun, 06 Nov 1994 08:49:37 GMT` and CR LF.
    static let dateLength = 6 + HTTPDate.length + 2

    /// The milliseconds since boot; monotonic.
    private(set) var milliseconds = 0
    /// The seconds since 1970.
    private(set) var seconds = 0

    /// The monotonic time now, in milliseconds.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    mutating func update() {
        milliseconds = Self.now
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        seconds = time.tv_sec
    }

    func writeDateLine(to place: UnsafeMutablePointer<UInt8>) {
        let name: StaticString = "Date: "
        place.update(from: name.utf8Start, count: 6)
        HTTPDate.write(seconds, to: place + 6)
        place[Self.dateLength - 2] = 0x0D
        place[Self.dateLength - 1] = 0x0A
    }
}
