import ArgumentParser
import Glibc

/// Options as they stand in the environment: `PLUGBOARD_PORT` for `--port`.
enum Environment {
    /// The value of a variable; nil where it isn't set or is empty.
    static func value(_ name: String) -> String? {
        guard let text = getenv("PLUGBOARD_\(name)") else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    /// The option's value if it was given, else the variable's, else the default.
    static func resolve<Value: LosslessStringConvertible>(
        _ option: Value?,
        _ name: String,
        default fallback: Value
    ) throws -> Value {
        try resolve(option, name) ?? fallback
    }

    /// The option's value if it was given, else the variable's, if there is one.
    static func resolve<Value: LosslessStringConvertible>(
        _ option: Value?,
        _ name: String
    ) throws -> Value? {
        if let option { return option }
        guard let text = value(name) else { return nil }
        guard let value = Value(text) else {
            throw ValidationError("PLUGBOARD_\(name): '\(text)' is not valid")
        }
        return value
    }

    /// As `resolve`, of a number that has to lie within a range; the option is `--` and `name`.
    static func resolve(
        _ option: Int?,
        _ name: String,
        in range: ClosedRange<Int>,
        default fallback: Int
    ) throws -> Int {
        try resolve(option, name, in: range) ?? fallback
    }

    /// As `resolve`, of a number that need not be given.
    static func resolve(
        _ option: Int?,
        _ name: String,
        in range: ClosedRange<Int>
    ) throws -> Int? {
        let variable = name.uppercased().replacing("-", with: "_")
        guard let value = try resolve(option, variable) else { return nil }
        guard range.contains(value) else {
            let place = option == nil ? "PLUGBOARD_\(variable)" : "--\(name)"
            throw ValidationError(
                "\(place): expected \(range.lowerBound) to \(range.upperBound), not \(value)"
            )
        }
        return value
    }

    /// A list: the option's values if there are any, else the variable's, between commas.
    static func resolve(_ option: [String], _ name: String) -> [String] {
        guard option.isEmpty, let text = value(name) else { return option }
        return text.split(separator: ",").map(String.init)
    }
}
