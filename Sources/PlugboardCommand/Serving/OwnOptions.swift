import HTTPSyntax
import ArgumentParser
import PlugHTTP
import Settings

/// The options that a server declares itself.
struct OwnOptions<Command: ServerCommand>: ParsableCommand {
    @OptionGroup var own: Command

    static var configuration: CommandConfiguration { CommandConfiguration(version: "") }

    /// The options with the forms of their values, as the usage names them: `[--plug <plug> ...]`.
    static var declared: [(name: String, form: SettingForm)] {
        usageString(includeHidden: true)
            .matches(of: /--(?<name>[a-z0-9][a-z0-9-]*)(?<value> <[^>]*>)?(?<list> \.\.\.)?/)
            .compactMap { option in
                let name = String(option.name)
                guard name != "help", name != "version", !name.hasPrefix("no-") else { return nil }
                guard option.value != nil else { return (name, .bool) }
                return (name, option.list == nil ? .text : .strings)
            }
    }

    /// Returns the values of a command line, the environment and the file.
    ///
    /// - Parameters:
    ///   - own: the values of the command line alone.
    ///   - settings: the environment and the file.
    ///   - arguments: the command line after the subcommand.
    ///   - parse: reads a command line again.
    /// - Returns: the values of all three.
    /// - Throws: `ValidationError` for an invalid value, with its place.
    static func read(
        _ own: Command,
        _ settings: SettingsReader,
        _ arguments: [String],
        _ parse: ([String]) throws -> Command
    ) throws -> Command {
        let declared = declared
        guard !declared.isEmpty else { return own }
        let usage = usageString(includeHidden: true)
        let others = settings.arguments(
            of: declared,
            given: given(declared, in: arguments),
            hides: ShownURL.mayHaveSecret
        ).filter { !$0.hasPrefix("--no-") || usage.contains($0) }
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
        _ declared: [(name: String, form: SettingForm)],
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
