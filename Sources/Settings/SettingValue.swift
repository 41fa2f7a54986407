/// A type of values that options take, each of them texts: one, or as many as a list has elements.
package protocol SettingValue: Sendable {
    /// What it is in a file.
    static var form: SettingForm { get }
    /// What is accepted, in words that follow "expected".
    static var expected: String { get }

    /// Reads a value; nil where the texts aren't one.
    init?(texts: [String])

    /// The texts that are read as this value again; none where nothing is set.
    var texts: [String] { get }
}

/// What a value is in a JSON file.
package enum SettingForm: Sendable {
    case bool, number, string, strings
    /// Such as a port that may be `"off"`.
    case numberOrString
}

/// A value as its source has it.
enum SettingTexts {
    case texts([String])
    /// A value of another form.
    case wrong
}

extension SettingValue where Self: LosslessStringConvertible {
    package init?(texts: [String]) {
        guard texts.count == 1 else { return nil }
        self.init(texts[0])
    }

    package var texts: [String] { [description] }
}

/// One of a few words.
extension SettingValue where Self: CaseIterable & RawRepresentable, RawValue == String {
    package static var form: SettingForm { .string }

    package static var expected: String {
        allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
    }

    package init?(_ description: String) { self.init(rawValue: description) }

    package var description: String { rawValue }
}

extension String: SettingValue {
    package static var form: SettingForm { .string }
    package static var expected: String { "a string" }
}

extension Bool: SettingValue {
    package static var form: SettingForm { .bool }
    package static var expected: String { "true or false" }
}

extension Int: SettingValue {
    package static var form: SettingForm { .number }
    package static var expected: String { "a whole number" }
}

extension UInt16: SettingValue {
    package static var form: SettingForm { .number }
    package static var expected: String { "a number from 0 to 65535" }
}

/// What need not be set.
extension Optional: SettingValue where Wrapped: SettingValue {
    package static var form: SettingForm { Wrapped.form }
    package static var expected: String { Wrapped.expected }

    package init?(texts: [String]) {
        guard let value = Wrapped(texts: texts) else { return nil }
        self = value
    }

    package var texts: [String] { self?.texts ?? [] }
}

/// A list.
extension Array: SettingValue where Element == String {
    package static var form: SettingForm { .strings }
    package static var expected: String { "an array of strings" }

    package init?(texts: [String]) { self = texts }

    package var texts: [String] { self }
}
