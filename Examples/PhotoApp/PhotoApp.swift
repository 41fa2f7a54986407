import ArgumentParser

/// The command `photoapp`: an app of the photos' server in a terminal.
@main
struct PhotoApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photoapp",
        abstract: "An app of the photos' server in a terminal.",
        discussion: """
            Each subcommand is one screen of an app. Without one, the app is interactive: type a \
            subcommand on each line. Responses and behaviors are stored, so that the app also works \
            offline.
            """,
        subcommands: [
            List.self, Show.self, Add.self, Like.self, Watch.self, About.self, Behave.self,
            Shell.self,
        ],
        defaultSubcommand: Shell.self
    )
}

/// A subcommand: it uses the app's services, which the interactive shell shares among its lines.
protocol AppCommand: AsyncParsableCommand {
    /// The options of the whole app.
    var options: AppOptions { get }

    /// Runs the command.
    func run(in app: AppServices) async throws
}

extension AppCommand {
    func run() async throws {
        let app: AppServices
        do {
            app = try AppServices(options)
        } catch {
            throw Terminal.failure(error)
        }
        do {
            try await run(in: app)
            try app.writeRecording()
        } catch {
            // A recording of a failure is the most useful one.
            try? app.writeRecording()
            throw Terminal.failure(error)
        }
    }
}
