import CivilDate

/// HTTP dates (RFC 9110 §5.6.7), written as IMF-fixdate and parsed in all three formats.
package enum HTTPDate {
    /// The length of `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static let length = 29

    private static let days: StaticString = "SunMonTueWedThuFriSat"
    private static let longDays: [StaticString] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    /// Writes the 29 bytes of a date, given in seconds since 1970 (years 1970 to 9999).
    package static func write(_ seconds: Int, to output: UnsafeMutablePointer<UInt8>) {
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let (day, time) = seconds.quotientAndRemainder(dividingBy: 86400)
        let date = CivilDate(daysSince1970: day)
        var cursor = output
        func put(_ text: StaticString, from start: Int = 0, count: Int) {
            cursor.update(from: text.utf8Start + start, count: count)
            cursor += count
        }
        func put(_ number: Int, digits: Int) {
            var number = number
            for index in stride(from: digits - 1, through: 0, by: -1) {
                cursor[index] = 0x30 + UInt8(number % 10)
                number /= 10
            }
            cursor += digits
        }
        put(days, from: (day + 4) % 7 * 3, count: 3)
        put(", ", count: 2)
        put(date.day, digits: 2)
        put(" ", count: 1)
        put(months, from: (date.month - 1) * 3, count: 3)
        put(" ", count: 1)
        put(date.year, digits: 4)
        put(" ", count: 1)
        put(time / 3600, digits: 2)
        put(":", count: 1)
        put(time / 60 % 60, digits: 2)
        put(":", count: 1)
        put(time % 60, digits: 2)
        put(" GMT", count: 4)
    }

    /// Returns the date as a String.
    package static func string(_ seconds: Int) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            write(seconds, to: start)
            return length
        }
    }

    /// Returns the date in RFC 3339 format, in UTC: `1994-11-06T08:49:37Z`.
    package static func timestamp(_ seconds: Int) -> String {
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let (day, time) = seconds.quotientAndRemainder(dividingBy: 86400)
        let date = CivilDate(daysSince1970: day)
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let days = [date.year, date.month, date.day].map(padded).joined(separator: "-")
        let times = [time / 3600, time / 60 % 60, time % 60].map(padded).joined(separator: ":")
        return "\(days)T\(times)Z"
    }

    /// Parses a UTC timestamp with seconds: `1994-11-06T08:49:37Z`; nil if it is invalid.
    package static func parseTimestamp(_ bytes: ByteSpan) -> Int? {
        guard bytes.count == 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54,
            bytes[19] == 0x5A, let year = number(bytes, 0, 4), let month = number(bytes, 5, 7),
            let day = number(bytes, 8, 10),
            let time = time(bytes, 11), bytes[13] == 0x3A, bytes[16] == 0x3A
        else { return nil }
        return seconds(year, month, day, time)
    }

    /// Parses a date; nil if it has none of the three formats.
    ///
    /// `now` resolves the two-digit year of RFC 850 dates to at most 50 years in the future.
    package static func parse(_ bytes: ByteSpan, now: Int) -> Int? {
        guard let comma = bytes.firstIndex(of: 0x2C) else { return parseAsctime(bytes) }
        return comma == 3 ? parseFixdate(bytes) : parseRFC850(bytes, comma: comma, now: now)
    }

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func parseFixdate(_ bytes: ByteSpan) -> Int? {
        guard bytes.count == length, isDay(bytes.slice(0, 3)), bytes[4] == 0x20,
            bytes[7] == 0x20, bytes[11] == 0x20, bytes[16] == 0x20,
            bytes.slice(25, 29).equals(" GMT"), let day = number(bytes, 5, 7),
            let month = month(bytes, 8), let year = number(bytes, 12, 16),
            let time = time(bytes, 17)
        else { return nil }
        return seconds(year, month, day, time)
    }

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func parseRFC850(_ bytes: ByteSpan, comma: Int, now: Int) -> Int? {
        let start = comma + 2
        guard isLongDay(bytes.slice(0, comma)), bytes.count == start + 22,
            bytes[comma + 1] == 0x20, bytes[start + 2] == 0x2D, bytes[start + 6] == 0x2D,
            bytes[start + 9] == 0x20, bytes.slice(start + 18, start + 22).equals(" GMT"),
            let day = number(bytes, start, start + 2), let month = month(bytes, start + 3),
            let twoDigits = number(bytes, start + 7, start + 9), let time = time(bytes, start + 10)
        else { return nil }
        let current = CivilDate(daysSince1970: now / 86400)
        var year = current.year / 100 * 100 + twoDigits
        let isAhead =
            (year - 50, month, day, time)
            > (current.year, current.month, current.day, now % 86400)
        if isAhead { year -= 100 }
        return seconds(year, month, day, time)
    }

    /// Parses `Sun Nov  6 08:49:37 1994`.
    private static func parseAsctime(_ bytes: ByteSpan) -> Int? {
        guard bytes.count == 24, isDay(bytes.slice(0, 3)), bytes[3] == 0x20, bytes[7] == 0x20,
            bytes[10] == 0x20, bytes[19] == 0x20, let month = month(bytes, 4),
            let day = number(bytes, bytes[8] == 0x20 ? 9 : 8, 10), let time = time(bytes, 11),
            let year = number(bytes, 20, 24)
        else { return nil }
        return seconds(year, month, day, time)
    }

    private static func isDay(_ name: ByteSpan) -> Bool {
        (0..<7).contains { day in
            (0..<3).allSatisfy { name[$0] == days.utf8Start[day * 3 + $0] }
        }
    }

    /// Whether the name is one of `Sunday` to `Saturday`.
    private static func isLongDay(_ name: ByteSpan) -> Bool {
        longDays.contains { name.equals($0) }
    }

    private static func month(_ bytes: ByteSpan, _ start: Int) -> Int? {
        (1...12).first { month in
            (0..<3).allSatisfy { bytes[start + $0] == months.utf8Start[(month - 1) * 3 + $0] }
        }
    }

    private static func number(_ bytes: ByteSpan, _ start: Int, _ end: Int) -> Int? {
        var value = 0
        for byte in bytes[start..<end] {
            guard ByteClass.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    /// Parses `08:49:37` to seconds; second 60 is a leap second.
    private static func time(_ bytes: ByteSpan, _ start: Int) -> Int? {
        guard bytes[start + 2] == 0x3A, bytes[start + 5] == 0x3A,
            let hour = number(bytes, start, start + 2), hour < 24,
            let minute = number(bytes, start + 3, start + 5), minute < 60,
            let second = number(bytes, start + 6, start + 8), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Int? {
        CivilDate(year, month, day).map { $0.daysSince1970 * 86400 + time }
    }
}
