import ArgumentParser

/// The command `plugboard behaviors`.
struct BehaviorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "behaviors",
        abstract: "Looks after the behavior documents that a server serves.",
        subcommands: [Explain.self]
    )
}
