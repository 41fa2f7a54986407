import Glibc

/// A moment in the three spellings of RFC 9110 §5.6.7.
struct HTTPDate: Sendable, Equatable {
    let seconds: Int

    init(seconds: Int) {
        self.seconds = seconds
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` and nothing that only resembles it, weekday included.
    init?(imf text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, let day = Int32(parts[1]), let year = Int32(parts[3]),
            let month = Self.months.firstIndex(of: String(parts[2]))
        else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = Int32(time[0]), let minute = Int32(time[1]),
            let second = Int32(time[2])
        else { return nil }
        var fields = tm()
        (fields.tm_mday, fields.tm_mon, fields.tm_year) = (day, Int32(month), year - 1900)
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (hour, minute, second)
        self.init(seconds: timegm(&fields))
        guard imf == text else { return nil }
    }

    var imf: String {
        let (now, weekday, month) = parts
        return
            "\(weekday.prefix(3)), \(two(now.tm_mday)) \(month) \(now.tm_year + 1900) \(clock) GMT"
    }

    var rfc850: String {
        let (now, weekday, month) = parts
        return "\(weekday), \(two(now.tm_mday))-\(month)-\(two(now.tm_year % 100)) \(clock) GMT"
    }

    var asctime: String {
        let (now, weekday, month) = parts
        let day = now.tm_mday < 10 ? " \(now.tm_mday)" : "\(now.tm_mday)"
        return "\(weekday.prefix(3)) \(month) \(day) \(clock) \(now.tm_year + 1900)"
    }

    func adding(_ delta: Int) -> HTTPDate { HTTPDate(seconds: seconds + delta) }

    static var now: HTTPDate { HTTPDate(seconds: time(nil)) }

    private var clock: String {
        let now = parts.0
        return "\(two(now.tm_hour)):\(two(now.tm_min)):\(two(now.tm_sec))"
    }

    private var parts: (tm, weekday: String, month: String) {
        var moment = time_t(seconds)
        var fields = tm()
        gmtime_r(&moment, &fields)
        return (fields, Self.weekdays[Int(fields.tm_wday)], Self.months[Int(fields.tm_mon)])
    }

    private func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
