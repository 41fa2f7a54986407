import Settings

/// A number of bytes; nil for `off` or 0.
struct CompressionThreshold: LosslessStringConvertible, SettingValue {
    static let form = SettingForm.numberOrString
    static let expected = "a number of bytes or \"off\""

    let bytes: Int?

    init(bytes: Int?) { self.bytes = bytes }

    init?(_ text: String) {
        bytes = ["off", "0"].contains(text) ? nil : Int(text)
        guard bytes.map({ $0 > 0 }) ?? ["off", "0"].contains(text) else { return nil }
    }

    var description: String { bytes.map(String.init) ?? "off" }
}
