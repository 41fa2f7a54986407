import ArgumentParser
import BehaviorStore
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `behaviors patch`.
    struct ApplyPatch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "patch",
            abstract: "Patches the live document, as a new revision or as a draft.",
            discussion: """
                An array of operations is a JSON Patch (RFC 6902), an object a Merge Patch \
                (RFC 7396). The server applies the whole patch or nothing.
                """
        )

        @Argument(help: "The document's name. (default: --document)")
        var name: String?

        @Option(help: "The patch's file; - for the standard input.")
        var file: String

        @Option("The revision to patch, such as a draft. (default: the live one)", value: "number")
        var revision: Int?

        @Flag(help: "Stores the result as a draft.")
        var draft = false

        @Option(help: "The reason, for the history.")
        var message: String?

        @Option("Patches only if this revision is live.", value: "number")
        var ifLive: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            let text = try InputFile.text(file)
            // The server can't distinguish an empty body from a missing one.
            guard !text.isEmpty else {
                throw Failure("\(file) is empty: a patch is an array or an object")
            }
            let first = text.utf8.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
            var patch = PatchBehavior.Input(
                name: try options.document(name),
                patch: text,
                first == UInt8(ascii: "[") ? .operations : .merge
            )
            patch.revision = revision
            patch.draft = draft ? true : nil
            patch.message = message
            patch.environment = options.environment
            (patch.ifMatch, patch.ifNoneMatch) = BehaviorsCommand.condition(ifLive)
            BehaviorsCommand.show(try await options.server.send(PatchBehavior.self, patch))
        }
    }
}
