/// A type of option values; a value is one text, or one text for each element of a list.
package protocol SettingValue: Sendable {
    /// The JSON type in a file.
    static var form: SettingForm { get }
    /// The accepted values, in words that follow "expected".
    static var expected: String { get }

    /// Parses a value; nil if the texts are invalid.
    init?(texts: [String])

    /// The texts that parse to this value; none for an unset value.
    var texts: [String] { get }
}

/// The JSON type of a setting in a file.
package enum SettingForm: Sendable {
    case bool, number, string, strings
    /// A number or a string, such as a port that may be `"off"`.
    case numberOrString
    /// A string or a number, taken as it is.
    case text

    /// The accepted values, in words that follow "expected".
    var expected: String {
        switch self {
        case .bool: Bool.expected
        case .number: Int.expected
        case .string: String.expected
        case .strings: [String].expected
        case .numberOrString, .text: "a number or a string"
        }
    }
}

/// A value in its source's form.
enum SettingTexts {
    case texts([String])
    /// A value of another JSON type.
    case wrong
}

extension SettingValue where Self: LosslessStringConvertible {
    package init?(texts: [String]) {
        guard texts.count == 1 else { return nil }
        self.init(texts[0])
    }

    package var texts: [String] { [description] }
}

/// An enumeration of words.
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

/// An optional value.
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
