import ArgumentParser
import JSONCodec
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `behaviors override`.
    struct Override: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints, sets or removes an environment's overrides.",
            discussion: """
                Overrides are a JSON Patch (RFC 6902). The server applies them to each document \
                that is promoted to the environment. Without a file the command prints them.
                """
        )

        @Argument(help: "The patch's file; - for the standard input.")
        var file: String?

        @Flag(help: "Removes the overrides.")
        var remove = false

        @Flag(help: "Creates the environment if it doesn't exist.")
        var create = false

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            let which = BehaviorID(name: options.document, environment: options.environment)
            guard file != nil || !create else {
                throw Failure.usage("--create needs the overrides' file")
            }
            switch (file, remove) {
            case (let file?, false):
                var input = SetOverrides.Input(
                    name: options.document,
                    patch: try JSON.file(file),
                    environment: options.environment
                )
                input.create = create ? true : nil
                Self.show(try await options.server.send(SetOverrides.self, input))
            case (nil, true):
                try await options.server.send(RemoveOverrides.self, which)
            case (nil, false):
                let known = try await options.server.send(GetOverrides.self, which)
                Output.print(known.patch.json)
            case (_?, true):
                throw Failure.usage("override takes a file or --remove, not both")
            }
        }

        private static func show(_ one: OverridesReport) {
            let count = one.patch.json.array?.count ?? 0
            Output.print(
                "\(one.name) in \(one.environment)  \(counted(count, "operation"))  "
                    + "since \(one.since)  by \(one.byName ?? one.by)"
            )
        }
    }

}
