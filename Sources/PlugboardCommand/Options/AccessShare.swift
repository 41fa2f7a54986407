import Settings

/// The share of requests that are logged: one of `every`.
struct AccessShare: LosslessStringConvertible, SettingValue {
    static let form = SettingForm.string
    static let expected = "\"off\", \"all\" or a part such as \"1/100\""
    static let off = AccessShare(every: 0)

    /// 0 for none.
    let every: Int

    private init(every: Int) { self.every = every }

    init?(_ text: String) {
        switch text {
        case "off": every = 0
        case "all": every = 1
        default:
            guard text.hasPrefix("1/"), let part = Int(text.dropFirst(2)), part >= 1 else {
                return nil
            }
            every = part
        }
    }

    var description: String { every == 0 ? "off" : every == 1 ? "all" : "1/\(every)" }
}
