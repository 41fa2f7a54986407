import Settings

/// The options of these tests.
enum Options {
    static let host = Setting("host", default: "127.0.0.1")
    static let port = Setting("port", default: 8080 as UInt16)
    static let loops = Setting("loops", default: 2, .range(1...256))
    static let bound = Setting<Int?>("bound", default: nil, .range(1...10), defaultText: "no bound")
    static let secure = Setting("secure", default: false)
    static let plugs = Setting(
        "plug",
        default: [],
        SettingRule("ACTION=IMPLEMENTATION") { $0.allSatisfy { $0.contains("=") } }
    )
    static let format = Setting("log-format", default: Format.text)
    static let metrics = Setting<MetricsPort?>("metrics-port", default: nil)

    enum Format: String, LosslessStringConvertible, SettingValue, CaseIterable {
        case text, json
    }

    struct MetricsPort: LosslessStringConvertible, SettingValue, Equatable {
        static let form = SettingForm.numberOrString
        static let expected = "a number from 0 to 65535 or \"off\""

        let description: String

        init?(_ text: String) {
            guard text == "off" || UInt16(text) != nil else { return nil }
            description = text
        }
    }
}

/// Reads all of them.
func reader(
    environment: [String: String] = [:],
    file: String? = nil,
    flags: [String: [String]] = [:]
) throws -> SettingsReader {
    let file = try file.map { try SettingsFile(name: "a.json", json: $0.utf8) }
    let reader = SettingsReader(environment: environment, file: file)
    _ = reader.value(of: Options.host, given: flags["host"])
    _ = reader.value(of: Options.port, given: flags["port"])
    _ = reader.value(of: Options.loops, given: flags["loops"])
    _ = reader.value(of: Options.bound, given: flags["bound"])
    _ = reader.value(of: Options.secure, given: flags["secure"])
    _ = reader.value(of: Options.plugs, given: flags["plug"])
    _ = reader.value(of: Options.format, given: flags["log-format"])
    _ = reader.value(of: Options.metrics, given: flags["metrics-port"])
    return reader
}

/// Returns the problems of the settings.
func problems(
    environment: [String: String] = [:],
    file: String? = nil,
    flags: [String: [String]] = [:]
) throws -> [String] {
    do {
        try reader(environment: environment, file: file, flags: flags)
            .check()
        return []
    } catch let error as SettingsError {
        return error.problems
    }
}
