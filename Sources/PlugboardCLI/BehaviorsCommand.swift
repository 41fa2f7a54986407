import ArgumentParser

/// The command `plugboard behaviors`.
struct BehaviorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "behaviors",
        abstract: "Looks after the behavior documents that a server serves.",
        subcommands: [
            List.self, Publish.self, History.self, Show.self, Rollback.self, Promote.self,
            Approve.self, Schedule.self, Rules.self, Export.self, Import.self, Explain.self,
        ]
    )
}
