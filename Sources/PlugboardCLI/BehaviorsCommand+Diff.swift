import ArgumentParser
import Authoring
import Behaviors
import JSONCodec
import JSONPatch

extension BehaviorsCommand {
    /// The command `plugboard behaviors diff`.
    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what has changed from one behavior document to another.",
            discussion: """
                A line for each change, or with --patch a JSON Patch (RFC 6902). Neither needs a \
                server. The status is 0 if nothing has changed, 1 if something has, 2 if a document \
                can't be read.
                """
        )

        @Argument(help: ArgumentHelp("The old document; - is the standard input."))
        var old: String

        @Argument(help: ArgumentHelp("The new document."))
        var new: String

        @Flag(help: "Prints the JSON Patch that makes the new document of the old one.")
        var patch = false

        func run() throws {
            let difference = BehaviorDifference(from: try Self.read(old), to: try Self.read(new))
            if patch {
                let json = difference.patch.json
                Output.print(String(decoding: json.encoded(pretty: true), as: UTF8.self))
            } else {
                for line in difference.lines { Output.print(line) }
            }
            guard difference.isEmpty else { throw ExitCode(1) }
        }

        private static func read(_ file: String) throws -> AuthoredBehavior {
            do {
                return try AuthoredBehavior(json: try InputFile.read(file))
            } catch let failure as Failure {
                Output.complain("Error: \(failure)")
            } catch {
                Output.complain("Error: \(file): \(error)")
            }
            throw ExitCode(2)
        }
    }
}
