import ArgumentParser
import Authoring
import Behaviors
import JSONCodec

extension BehaviorsCommand {
    /// The command `plugboard behaviors convert`.
    struct Convert: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a behavior document of another system's flags, and prints it.",
            discussion: """
                Each flag becomes a module, with the function set for the value of each variant. \
                What can't be taken is for nobody, and is told on the standard error with its \
                place. The status is 0 if everything was taken, 1 if something wasn't.
                """
        )

        /// A system whose flags can be taken.
        enum System: String, ExpressibleByArgument, CaseIterable {
            case flagd
            case unleash
        }

        @Option(help: "Whose file it is.")
        var from: System

        @Option(help: "The environment to take of Unleash's export, where it has several.")
        var environment: String?

        @Argument(help: "The file; - is the standard input.")
        var file: String

        func run() throws {
            guard environment == nil || from == .unleash else {
                throw Failure.usage("--environment is for Unleash's export: flagd's has none")
            }
            let json = try JSON.file(file)
            let imported =
                switch from {
                case .flagd: ImportedBehavior.flagd(json)
                case .unleash: ImportedBehavior.unleash(json, environment: environment)
                }
            for finding in imported.findings { Output.complain(line: "\(finding)") }
            // Of what nothing could be taken there is no document, not even an empty one.
            guard !imported.hasErrors || !imported.document.modules.isEmpty else {
                throw ExitCode(1)
            }
            Output.print(imported.document.json)
            guard !imported.hasErrors else { throw ExitCode(1) }
        }
    }
}
