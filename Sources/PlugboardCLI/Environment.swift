import CLinux
import Glibc

/// The variables of the environment that are the command's: `PLUGBOARD_PORT` and so on.
enum Environment {
    /// The value of a variable; nil where it isn't set or is empty.
    static func value(_ name: String) -> String? {
        guard let text = getenv("PLUGBOARD_\(name)") else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    /// The settings that are read here and not by `serve`'s reader: where a file of settings is, and what commands
    /// that ask a server need.
    static let others = ["config", "token", "url", "ca"]

    /// All that begin with `PLUGBOARD_`.
    ///
    /// Foundation's way takes 0.3 ms of a start.
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
