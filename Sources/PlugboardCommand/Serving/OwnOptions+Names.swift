import ArgumentParser
import Settings

extension OwnOptions {
    /// The names of the commands' options, which a server can't give to its own.
    private static var reservedNames: Set<String> {
        // Options of serve, doctor, migrate and openapi alone, with neither a variable nor a key.
        var names: Set<String> = [
            "print-config", "json", "strict", "print", "grant-to", "diff", ClientOption.config.name,
        ]
        for option in ServeOptions.all {
            names.insert(option.name)
            if option.form == .bool { names.insert("no-\(option.name)") }
        }
        return names
    }

    /// Rejects the server's own options with the name of a command's option.
    ///
    /// The parser gives the values of both to the server's own option. It reports the conflict in
    /// debug builds only.
    ///
    /// - Throws: `ValidationError` with the names.
    static func rejectReservedNames(of declared: [OwnOption]) throws {
        let reserved = reservedNames
        let flags = declared.filter { reserved.contains($0.name) }.map { "--\($0.name)" }
        guard !flags.isEmpty else { return }
        throw ValidationError(
            "\(flags.joined(separator: ", ")): \(Command.self) declares an option that all servers "
                + "have: rename its own"
        )
    }

    /// Whether an option of the server's own may have a reserved name; it takes microseconds.
    ///
    /// Then a property is named like an option, or the parser returned less than the command line
    /// has.
    ///
    /// - Parameters:
    ///   - arguments: the command line after the subcommand.
    ///   - given: the texts of serve's options that the parser returned, by name.
    /// - Returns: true if the names must be compared.
    static func mayConflict(_ arguments: [String], _ given: [String: [String]]) -> Bool {
        let labels = Mirror(reflecting: Command()).children.compactMap(\.label)
        guard !labels.isEmpty else { return false }
        let properties = Set(labels.map { $0.drop { $0 == "_" }.lowercased() })
        let reserved = reservedNames
        if reserved.contains(where: { properties.contains($0.replacing("-", with: "")) }) {
            return true
        }
        return arguments.prefix { $0 != "--" }.contains { argument in
            guard argument.hasPrefix("--") else { return false }
            let name = String(argument.dropFirst(2).prefix { $0 != "=" })
            return ServeOptions.all.contains {
                given[$0.name] == nil && (name == $0.name || name == "no-\($0.name)")
            }
        }
    }
}
