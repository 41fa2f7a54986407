import HTTPSyntax
import ArgumentParser
import PlugHTTP
import Settings

/// The options that a server declares itself.
struct OwnOptions<Command: ServerCommand>: ParsableCommand {
    @OptionGroup var own: Command

    static var configuration: CommandConfiguration { CommandConfiguration(version: "") }

    /// Returns the values of a command line, the environment and the file.
    ///
    /// - Parameters:
    ///   - own: the values of the command line alone.
    ///   - settings: the environment and the file.
    ///   - arguments: the command line after the subcommand.
    ///   - parse: reads a command line again.
    /// - Returns: the values of all three.
    /// - Throws: `ValidationError` for an invalid value, with its place, and for an option with a
    ///   reserved name.
    static func read(
        _ own: Command,
        _ settings: SettingsReader,
        _ arguments: [String],
        _ parse: ([String]) throws -> Command
    ) throws -> Command {
        let declared = declared
        try rejectReservedNames(of: declared)
        guard !declared.isEmpty else { return own }
        let others = settings.arguments(
            of: declared.map { ($0.name, $0.form) },
            given: given(declared, in: arguments),
            hides: RedactedURL.mayHaveSecret
        ).filter { argument in
            // A flag without inversion is off by default, and has no option that turns it off.
            !declared.contains { !$0.hasInversion && argument == "--no-\($0.name)" }
        }
        guard !others.isEmpty else { return own }
        do {
            // Of an option that is there twice the last one counts.
            return try parse(others + arguments)
        } catch {
            let names = declared.map(\.name).sorted { $0.count > $1.count }
            throw ValidationError(message(for: error).places(of: names, settings))
        }
    }

    /// The options among a command line's arguments, with their values.
    private static func given(
        _ declared: [OwnOption],
        in arguments: [String]
    ) -> [String: [String]] {
        var given: [String: [String]] = [:]
        for (place, argument) in arguments.enumerated() {
            guard argument.hasPrefix("--") else { continue }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1)
            let written = parts.first.map(String.init) ?? ""
            if written.hasPrefix("no-"), declared.contains(where: { "no-" + $0.name == written }) {
                given[String(written.dropFirst(3))] = ["false"]
            }
            guard let option = declared.first(where: { $0.name == written }) else { continue }
            if option.form == .bool {
                given[written] = ["true"]
            } else if parts.count == 2 {
                given[written, default: []].append(String(parts[1]))
            } else if place + 1 < arguments.count {
                given[written, default: []].append(arguments[place + 1])
            }
        }
        return given
    }
}

extension String {
    /// The message with the environment's variable or the file's key in place of each option that
    /// the command line lacks.
    fileprivate func places(of names: [String], _ settings: SettingsReader) -> String {
        names.reduce(self) { $0.replacing("--\($1)", with: settings.place(of: $1)) }
    }
}
