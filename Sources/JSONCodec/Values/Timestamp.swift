import CivilDate

/// An RFC 3339 timestamp, computed as seconds since 1970 without a calendar.
package enum Timestamp {
    private static let day = 86_400.0

    /// Returns the text in UTC, to the microsecond, without an empty fraction; nil outside of the
    /// years 1 to 9999.
    package static func text(_ seconds: Double) -> String? {
        guard abs(seconds) < 1e12 else { return nil }
        let whole = seconds.rounded(.down)
        var second = Int(whole)
        var micros = nearestMicros(seconds, whole)
        if micros == 1_000_000 {
            second += 1
            micros = 0
        }
        let days = (Double(second) / day).rounded(.down)
        let time = second - Int(days) * 86_400
        let date = CivilDate(daysSince1970: Int(days))
        guard 1...9_999 ~= date.year else { return nil }
        var text = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
        text += "\(padded(time / 3_600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        if micros > 0 {
            let digits = padded(micros, 6)
            text += "." + digits.prefix(digits.count - digits.trailingZeros)
        }
        return text + "Z"
    }

    /// Returns the shortest fraction that is read as the same number, else the nearest one.
    private static func nearestMicros(_ seconds: Double, _ whole: Double) -> Int {
        var unit = 1_000_000
        while unit > 1 {
            let count = ((seconds - whole) * 1e6 / Double(unit)).rounded()
            if whole + count * Double(unit) / 1e6 == seconds { return Int(count) * unit }
            unit /= 10
        }
        return Int(((seconds - whole) * 1e6).rounded())
    }

    /// Returns the digits of a timestamp's fraction without trailing zeros; nil if it has none.
    package static func fraction(of text: String) -> Substring.UTF8View? {
        guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        var digits = text.utf8[text.utf8.index(after: point)...].prefix { $0 &- 0x30 < 10 }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return digits
    }

    /// The first second of year 1 to the first second after year 9999.
    private static let years: Range<Double> = -62_135_596_800..<253_402_300_800

    /// Parses RFC 3339's `date-time` (§5.6) to seconds since 1970; nil if it is invalid or UTC
    /// can't represent it.
    ///
    /// Second 60 is accepted at the end of a month in UTC, as for leap seconds (§5.7). As in POSIX,
    /// it is the first second of the next day. A space instead of the `T` is rejected.
    package static func seconds(_ text: String) -> Double? {
        var text = Substring(text)
        guard let year = text.number(4), text.skip("-"), let month = text.number(2),
            text.skip("-"), let dayOfMonth = text.number(2), text.skip("T", "t"),
            let hour = text.number(2), text.skip(":"), let minute = text.number(2),
            text.skip(":"), let second = text.number(2),
            year > 0, let date = CivilDate(year, month, dayOfMonth),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction = 0.0
        if text.skip(".") {
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, let value = Double("0." + digits) else { return nil }
            fraction = value
            text = text.dropFirst(digits.count)
        }
        guard let offset = text.offset(), text.isEmpty else { return nil }
        let time = hour * 3_600 + minute * 60 + second - offset
        let whole = date.daysSince1970 * 86_400 + time
        if second == 60, !isMonthsBeginning(whole) { return nil }
        // The sum decides: a fraction of many nines rounds up to the next second.
        let seconds = Double(whole) + fraction
        return years.contains(seconds) ? seconds : nil
    }

    private static func isMonthsBeginning(_ second: Int) -> Bool {
        second % 86_400 == 0 && CivilDate(daysSince1970: second / 86_400).day == 1
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}

extension Substring {
    /// Parses exactly that many digits.
    fileprivate mutating func number(_ digits: Int) -> Int? {
        let text = prefix(digits)
        guard text.count == digits, text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        removeFirst(digits)
        return Int(text)
    }

    /// Moves past one of the characters; returns false if the next one is another.
    fileprivate mutating func skip(_ characters: Character...) -> Bool {
        guard let first, characters.contains(first) else { return false }
        removeFirst()
        return true
    }

    /// Parses `Z` or an offset such as `+02:00`, in seconds.
    fileprivate mutating func offset() -> Int? {
        if skip("Z", "z") { return 0 }
        let isWest = first == "-"
        guard skip("+", "-"), let hours = number(2) else { return nil }
        guard skip(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return isWest ? -seconds : seconds
    }
}

extension String {
    fileprivate var trailingZeros: Int { reversed().prefix { $0 == "0" }.count }
}
