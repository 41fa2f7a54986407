import CLinux
import Glibc

/// The command's environment variables, such as `PLUGBOARD_PORT`.
enum Environment {
    /// Returns the value of an option's variable; nil if it is empty or not set.
    static func value(of option: some NamedOption) -> String? {
        guard let text = getenv(option.variable) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    /// All variables that begin with `PLUGBOARD_`.
    ///
    /// Foundation's `ProcessInfo` would add 0.3 ms to a start.
    static var variables: [String: String] {
        var variables: [String: String] = [:]
        var next = clinux_environment()
        while let text = next?.pointee {
            next = next?.advanced(by: 1)
            guard strncmp(text, "PLUGBOARD_", 10) == 0,
                let sign = strchr(text, CInt(UInt8(ascii: "=")))
            else { continue }
            let name = UnsafeRawBufferPointer(start: text, count: sign - text)
            variables[String(decoding: name, as: UTF8.self)] = String(cString: sign + 1)
        }
        return variables
    }
}
