import CLinux
import Glibc

/// The command's environment variables, such as `PLUGBOARD_PORT`.
enum Environment {
    /// Returns the value of `PLUGBOARD_` and `name`; nil if it is empty or not set.
    static func value(_ name: String) -> String? {
        guard let text = getenv("PLUGBOARD_\(name)") else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    /// The settings that `serve`'s reader ignores: the settings file, and the options of clients.
    static let others = ["config", "token", "url", "ca"]

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
