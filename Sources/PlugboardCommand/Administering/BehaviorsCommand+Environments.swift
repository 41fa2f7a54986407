import ArgumentParser
import PlugHTTP
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `behaviors environments`.
    struct Environments: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the environments, sets an environment's approvals, or removes it.",
            discussion: """
                Without an environment the command lists all of them. A change needs the scope \
                admin. Only an environment without documents and overrides can be renamed or \
                removed.
                """
        )

        @Argument(help: "The environment.")
        var environment: String?

        @Option("The number of people beside the author that must approve.", value: "number")
        var approvals: Int?

        @Flag(help: "Creates the environment if it doesn't exist.")
        var create = false

        @Option("Renames the environment.", value: "name")
        var rename: String?

        @Flag(help: "Removes the environment.")
        var remove = false

        @OptionGroup var server: ServerOptions

        private func check() throws {
            let changes = [approvals != nil || create, rename != nil, remove].count { $0 }
            guard changes <= 1 else {
                throw Failure.usage("give one of --approvals, --rename and --remove")
            }
            guard environment != nil || changes == 0 else {
                let option =
                    approvals != nil
                    ? "--approvals" : create ? "--create" : remove ? "--remove" : "--rename"
                throw Failure.usage("\(option) needs an environment")
            }
        }

        func run() async throws {
            try check()
            guard let environment else {
                let all = try await server.send(ListEnvironments.self)
                return all.forEach(Self.show)
            }
            if remove {
                return try await server.send(
                    RemoveEnvironment.self,
                    EnvironmentID(environment: environment)
                )
            }
            if let rename {
                return Self.show(
                    try await server.send(
                        RenameEnvironment.self,
                        .init(environment: environment, to: rename)
                    )
                )
            }
            guard approvals != nil || create else {
                return Self.show(
                    try await server.send(
                        GetEnvironment.self,
                        EnvironmentID(environment: environment)
                    )
                )
            }
            var change = SetEnvironment.Input(environment: environment, approvals: approvals ?? 0)
            change.create = create ? true : nil
            Self.show(try await server.send(SetEnvironment.self, change))
        }

        private static func show(_ one: EnvironmentReport) {
            Output.print(
                "\(one.environment)  approvals: \(one.approvals)  documents: \(one.documents)"
                    + (one.served ? "  served" : "")
            )
        }
    }
}
