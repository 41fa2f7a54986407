import Settings

/// The port for metrics and probes; `off` for none.
enum MetricsPort: LosslessStringConvertible, SettingValue, Equatable {
    static let form = SettingForm.numberOrString
    static let expected = "a number from 0 to 65535 or \"off\""

    case off
    case port(UInt16)

    init?(_ text: String) {
        guard let value = text == "off" ? .off : UInt16(text).map(Self.port) else { return nil }
        self = value
    }

    var description: String { if case .port(let port) = self { "\(port)" } else { "off" } }
}
