import JSONCodec

extension ServerChecks {
    /// The seconds by which clocks may differ.
    private static let tolerance = 5
    /// The seconds by which the clock may differ from a database's.
    private static let databaseTolerance = 2
    /// The beginning of the year in which this version was made, in seconds since 1970.
    private static let earliest = 1_767_225_600

    /// Returns the result of this machine's clock; `newest` is the newest stored time.
    static func clock(now: Int, newest: Int?) -> [Finding] {
        let remedy = "Set the clock, and keep it right by NTP, such as with systemd-timesyncd."
        guard now >= earliest else {
            return [
                .error(
                    "clock",
                    "it is \(time(now)), before this version was made: tokens and certificates fail",
                    do: remedy
                )
            ]
        }
        guard let newest, newest > now + tolerance else {
            let since = newest.map { ", after the newest stored change of \(time($0))" } ?? ""
            return [.ok("clock", "it is \(time(now))\(since)")]
        }
        return [
            .warning(
                "clock",
                "it is \(time(now)), \(duration(newest - now)) before the newest stored change",
                do: remedy
            )
        ]
    }

    /// Returns the result of a database's clock, which is ahead of this machine's by `lead`.
    static func clock(lead: Double, of database: String) -> Finding {
        guard abs(lead) > Double(databaseTolerance) else {
            return .ok("clock", "\(database) has the same time within \(databaseTolerance) s")
        }
        let side = lead > 0 ? "ahead of" : "behind"
        return .warning(
            "clock",
            "\(database) is \(duration(Int(abs(lead)))) \(side) this machine",
            do: "Set both clocks by NTP: the database's decides when schedules are due."
        )
    }

    /// Returns a time for people, in UTC.
    static func time(_ seconds: Int) -> String {
        Timestamp.text(Double(seconds)) ?? "\(seconds)"
    }

    /// Returns a date for people, in UTC.
    static func date(_ seconds: Int) -> String { String(time(seconds).prefix(10)) }

    /// Returns a duration in its largest fitting unit.
    static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: counted(seconds, "second")
        case ..<7_200: counted(seconds / 60, "minute")
        case ..<172_800: counted(seconds / 3_600, "hour")
        default: counted(seconds / 86_400, "day")
        }
    }
}
