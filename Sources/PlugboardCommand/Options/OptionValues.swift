import Plugboard
import Settings

/// A number of seconds; nil for `off` or 0.
struct SecondsOrOff: LosslessStringConvertible, SettingValue {
    static let form = SettingForm.numberOrString
    static let expected = "a number of seconds or \"off\""

    let seconds: Int?

    init(seconds: Int?) { self.seconds = seconds }

    init?(_ text: String) {
        let isOff = ["off", "0"].contains(text)
        seconds = isOff ? nil : Int(text)
        guard isOff || seconds.map({ (1...1_000_000_000).contains($0) }) == true else { return nil }
    }

    var description: String { seconds.map(String.init) ?? "off" }
}

/// The permissions of a file: three octal digits such as 660.
struct FileMode: LosslessStringConvertible, SettingValue {
    static let form = SettingForm.numberOrString
    static let expected = "a number of three octal digits such as 660"

    let bits: UInt16

    init(bits: UInt16) { self.bits = bits }

    init?(_ text: String) {
        let digits = text.count == 4 && text.hasPrefix("0") ? text.dropFirst() : text[...]
        guard digits.count == 3, let bits = UInt16(digits, radix: 8) else { return nil }
        self.bits = bits
    }

    var description: String {
        let digits = String(bits, radix: 8)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }
}

extension Exposure: SettingValue {}
