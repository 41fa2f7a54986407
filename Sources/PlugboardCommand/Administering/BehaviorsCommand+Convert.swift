import ArgumentParser
import Authoring
import Behaviors
import JSONCodec

extension BehaviorsCommand {
    /// The command `behaviors convert`.
    struct Convert: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Converts another system's flags to a behavior document and prints it.",
            discussion: """
                Each flag becomes a module. Each variant becomes a call of its function set, with \
                the variant's value. What can't be converted is served to nobody and reported on \
                the standard error with its location. A document that no server accepts isn't \
                printed. The status is 0 if everything was converted, 1 otherwise.
                """
        )

        /// A system whose flags can be converted.
        enum System: String, ExpressibleByArgument, CaseIterable {
            case flagd
            case unleash
        }

        @Option(help: "The system that exported the file.")
        var system: System

        @Option(help: "The environment to convert, if Unleash's export has several.")
        var environment: String?

        @Argument(help: "The file; - for the standard input.")
        var file: String

        func run() throws {
            guard environment == nil || system == .unleash else {
                throw Failure.usage(
                    "--environment needs --system unleash: flagd has no environments"
                )
            }
            let json = try JSON.file(file)
            let imported =
                switch system {
                case .flagd: ImportedBehavior.flagd(json)
                case .unleash: ImportedBehavior.unleash(json, environment: environment)
                }
            for finding in imported.findings { Output.writeError("\(finding)") }
            // If nothing could be converted, print no document: an empty one would look valid.
            guard imported.isPublishable,
                !imported.hasErrors || !imported.document.modules.isEmpty
            else {
                throw ExitCode(1)
            }
            Output.print(imported.document.json)
            guard !imported.hasErrors else { throw ExitCode(1) }
        }
    }
}
