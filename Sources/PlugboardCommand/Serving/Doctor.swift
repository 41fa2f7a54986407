import ArgumentParser
import Plugboard
import Settings

/// The command `doctor`.
struct Doctor<Command: ServerCommand>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor",
            abstract: "Checks the configuration and the machine for serve with the same options.",
            discussion: """
                Each line has a status, the check, the figure found, and the remedy. The command \
                changes nothing, and may run beside a server. Run it as the server's user, because \
                it checks that user's permissions. The status is 0 without an error, and 1 with \
                one. With --strict it is 2 if there are warnings only.
                """
        )
    }

    @Flag(help: "Prints the results as JSON.")
    var json = false

    @Flag(help: "Ends with status 2 if there are warnings and no error.")
    var strict = false

    @Option(ClientOption.config)
    var config: String?

    @OptionGroup var own: Command
    @OptionGroup var options: ServeOptions

    func run() async throws {
        let report = CheckReport(version: Command.version, findings: await findings())
        if json {
            Output.print(report.json)
        } else {
            report.lines.forEach(Output.print)
        }
        let status = report.exitStatus(isStrict: strict)
        guard status == 0 else { throw ExitCode(status) }
    }

    private func findings() async -> [Finding] {
        do {
            let setup = try ServerSetup(checking: own, config: config, given: options.given) {
                try Self.parse($0).own
            }
            var server = setup.described
            // The findings have what it would log.
            server.logger = ServerChecks.quiet
            let checks = ServerChecks(server, options: setup.optionTexts)
            let results = await checks.perform()
            let failure = setup.failure.flatMap { ServerChecks.unusable($0, besides: results) }
            return ServerChecks.configuration(set: setup.setOptions, warnings: setup.warnings)
                + [failure].compactMap(\.self) + results
        } catch let error as SettingsError {
            return ServerChecks.invalid(error.problems)
        } catch let error as ValidationError {
            return ServerChecks.invalid([error.message])
        } catch {
            return ServerChecks.invalid(["\(error)"])
        }
    }
}
