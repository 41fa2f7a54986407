import ArgumentParser
import Authoring
import Behaviors
import JSONCodec
import JSONPatch
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `behaviors diff`.
    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the changes from one behavior document to another.",
            discussion: """
                Prints a line for each change, or with --patch a JSON Patch (RFC 6902). One file is \
                compared with the server's live document. Two files need no server. --from and \
                --to are revisions of a server's document; the default of each is the live \
                revision. The status is 0 if nothing has changed, 1 if something has, 2 if a \
                document can't be read, 69 if the server can't be reached.
                """
        )

        @Argument(
            help: """
                The file to compare with what is live, or the old one of two; - for the standard \
                input. With --from or --to a document's name.
                """
        )
        var old: String?

        @Argument(help: "The new file.")
        var new: String?

        @Option("The old revision.", value: "number")
        var from: Int?

        @Option("The new revision.", value: "number")
        var to: Int?

        @Option("The old revision's environment. (default: the new one's)", value: "name")
        var fromEnvironment: String?

        @Flag(help: "Prints the JSON Patch from the old document to the new one.")
        var patch = false

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            let isKept = from != nil || to != nil || fromEnvironment != nil
            switch (old, new) {
            case (let name, nil) where isKept: try await compare(options.document(name))
            case (let old?, let new?) where !isKept:
                guard options.isDefault else {
                    throw Failure.usage(
                        "two files take no option for a document, environment or server"
                    )
                }
                try show(from: try Self.read(old), to: try Self.read(new))
            case (let file?, nil):
                let new = try Self.read(file)
                try show(from: try await live(), to: new)
            default:
                throw Failure.usage(
                    "diff takes one or two files, or a document with --from or --to"
                )
            }
        }

        /// Returns the server's live document.
        private func live() async throws -> AuthoredBehavior {
            do {
                return try AuthoredBehavior(json: await options.bytes(of: options.document, nil))
            } catch let code as ExitCode where code == ExitCode(1) {
                throw ExitCode(2)
            } catch let failure as Failure {
                Output.writeError("Error: \(failure)")
                throw ExitCode(2)
            }
        }

        private func compare(_ name: String) async throws {
            var diff = DiffBehavior.Input(name: name)
            (diff.from, diff.to) = (from, to)
            (diff.fromEnvironment, diff.environment) = (fromEnvironment, options.environment)
            let changes: DiffBehavior.Output
            do {
                changes = try await options.server.request(DiffBehavior.self, diff)
            } catch let code as ExitCode where code == ExitCode(1) {
                // Status 1 would mean that something has changed.
                throw ExitCode(2)
            }
            try show(changes.changes, changes.patch)
        }

        private func show(from old: AuthoredBehavior, to new: AuthoredBehavior) throws {
            let changes = BehaviorDifference(from: old, to: new)
            try show(changes.lines, changes.patch)
        }

        private func show(_ lines: [String], _ changes: Patch) throws {
            if options.server.json {
                Output.print([
                    "changes": .array(lines.map(JSON.string)), "patch": changes.json,
                ])
            } else if patch {
                Output.print(changes.json)
            } else {
                for line in lines { Output.print(line) }
            }
            guard changes.operations.isEmpty else { throw ExitCode(1) }
        }

        private static func read(_ file: String) throws -> AuthoredBehavior {
            do {
                return try AuthoredBehavior(json: try InputFile.read(file))
            } catch let failure as Failure {
                Output.writeError("Error: \(failure)")
            } catch {
                Output.writeError("Error: \(file): \(error)")
            }
            throw ExitCode(2)
        }
    }
}
