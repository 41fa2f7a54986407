import JSONCodec

/// A time as people give it: `+2h`, or a date and a time with an offset, with a zone's name, or in the
/// machine's zone.
struct GivenTime: Equatable {
    /// The time, in seconds since 1970.
    let seconds: Int

    /// A text that is no time, with the reason.
    struct Invalid: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private static let forms =
        "+90m, +2h, +3d, 2026-12-01T09:00, 2026-12-01T09:00+02:00 or \"2026-12-01T09:00 Europe/Riga\""
    /// The longest duration: ten years, so that no sum overflows.
    private static let longest = 10 * 366 * 86_400

    /// Reads a text; durations count from `now`, and `zone` is that of a time that names none.
    init(_ text: String, now: Int, in zone: LocalZone = .machine) throws(Invalid) {
        if text.hasPrefix("+") {
            seconds = now + (try Self.duration(text))
            return
        }
        // An offset, or UTC.
        if let time = Timestamp.seconds(text) {
            seconds = Int(time.rounded(.up))
            return
        }
        let (civil, rest) = try Self.civil(text)
        if rest.isEmpty {
            seconds = try zone.seconds(of: civil, text)
            return
        }
        if let time = Timestamp.seconds(civil.text + rest) {
            seconds = Int(time.rounded(.up))
            return
        }
        let name = rest.hasPrefix("[") && rest.hasSuffix("]") ? rest.dropFirst().dropLast() : rest
        seconds = try LocalZone(named: String(name)).seconds(of: civil, text)
    }

    private static func invalid(_ text: String) -> Invalid {
        Invalid(description: "\"\(text)\" is no time: give \(forms)")
    }

    /// Returns the seconds of a duration such as `+1h30m`.
    private static func duration(_ text: String) throws(Invalid) -> Int {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        var sum = 0
        var digits = ""
        for character in text.dropFirst() {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard let unit = units[character], let count = Int(digits), count <= longest / unit,
                sum + count * unit <= longest
            else { throw invalid(text) }
            sum += count * unit
            digits = ""
        }
        guard digits.isEmpty, sum > 0 else { throw invalid(text) }
        return sum
    }

    /// Returns the date and time at a text's beginning, and the rest without a space before it.
    private static func civil(_ text: String) throws(Invalid) -> (CivilTime, Substring) {
        let date = text.prefix(10)
        var rest = text.dropFirst(10)
        guard let separator = rest.popFirst(), separator == "T" || separator == " " else {
            throw invalid(text)
        }
        var time = String(rest.prefix(5))
        rest = rest.dropFirst(5)
        if rest.hasPrefix(":") {
            time += rest.prefix(3)
            rest = rest.dropFirst(3)
        } else {
            time += ":00"
        }
        guard let civil = CivilTime("\(date)T\(time)") else { throw invalid(text) }
        return (civil, rest.drop { $0 == " " })
    }
}
