import ArgumentParser

/// The command `behaviors`.
struct BehaviorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "behaviors",
        abstract: "Manages a server's behavior documents, and checks files.",
        subcommands: [
            List.self, Status.self, Publish.self, ApplyPatch.self, History.self, Show.self,
            Rollback.self,
            Promote.self, Override.self, Drafts.self, Approve.self, Discard.self, Schedule.self,
            Environments.self,
            Export.self,
            Import.self, Explain.self,
            Validate.self, Diff.self, Convert.self,
        ]
    )
}
