import Glibc
import JSONCodec

/// A date and a time of day without a zone.
struct CivilTime {
    /// As `2026-12-01T09:00:00`.
    let text: String
    /// The seconds since 1970 if the zone was UTC.
    let seconds: Int

    init?(_ text: String) {
        guard text.utf8.count == 19, let seconds = Timestamp.seconds(text + "Z") else { return nil }
        self.text = text
        self.seconds = Int(seconds)
    }
}

/// A time zone of the machine's database.
struct LocalZone: Sendable {
    /// The name, `Europe/Riga`; nil for the machine's own zone.
    let name: String?
    /// Returns the offset from UTC at a time, in seconds.
    let offset: @Sendable (Int) -> Int

    init(name: String?, offset: @escaping @Sendable (Int) -> Int) {
        self.name = name
        self.offset = offset
    }

    /// The zone of the variable `TZ`, else of `/etc/localtime`.
    static let machine = LocalZone(name: nil) { machineOffset(at: $0) }

    private static let folder = "/usr/share/zoneinfo/"

    /// Finds a zone by its name.
    ///
    /// - Throws: also if the machine has no database of zones.
    init(named name: String) throws(GivenTime.Invalid) {
        // A name is a path below the folder.
        let isName =
            !name.isEmpty && !name.hasPrefix("/") && !name.contains("..")
            && name.utf8.allSatisfy {
                $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || "/_+-".utf8.contains($0)
            }
        var status = stat()
        guard isName, stat(Self.folder + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else {
            throw GivenTime.Invalid(
                description: "this machine knows no time zone \"\(name)\": give an offset such as "
                    + "+02:00"
            )
        }
        self.init(name: name) { Self.offset(at: $0, in: name) }
    }

    /// The offset in a named zone; the command has no other thread that reads the zone.
    private static func offset(at time: Int, in name: String) -> Int {
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", name, 1)
        tzset()
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        return machineOffset(at: time)
    }

    private static func machineOffset(at time: Int) -> Int {
        var (moment, parts) = (time_t(time), tm())
        return localtime_r(&moment, &parts) == nil ? 0 : parts.tm_gmtoff
    }

    /// Returns the time at which the zone's clocks show a date and time.
    ///
    /// - Throws: if they show it never or twice, because a change of the offset skips or repeats it.
    func seconds(of civil: CivilTime, _ text: String) throws(GivenTime.Invalid) -> Int {
        // An offset is in force for more than a day.
        let near = [-86_400, 0, 86_400].map { offset(civil.seconds + $0) }
        let found = Set(near).sorted(by: >).filter { offset(civil.seconds - $0) == $0 }
        let place = name ?? "this machine's zone"
        switch found.count {
        case 1: return civil.seconds - found[0]
        case 0:
            throw GivenTime.Invalid(
                description: "\(civil.text) doesn't exist in \(place): its clocks skip it; give an "
                    + "offset, such as \(civil.text)\(Self.text(of: near[0]))"
            )
        default:
            let choices = found.map { civil.text + Self.text(of: $0) }
            throw GivenTime.Invalid(
                description: "\(civil.text) occurs twice in \(place): give "
                    + choices.joined(separator: " or ")
            )
        }
    }

    /// Returns an offset as `+02:00`.
    private static func text(of offset: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = abs(offset) / 60
        return "\(offset < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
    }
}
