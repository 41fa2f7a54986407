import ArgumentParser
import BehaviorClient
import Dispatch
import Glibc

/// The interactive app: a subcommand on each line.
struct Shell: AppCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the subcommand on each line of a terminal (default)."
    )

    @OptionGroup var options: AppOptions

    func run(in app: AppServices) async throws {
        guard isatty(STDIN_FILENO) == 1 else {
            return Terminal.notice("The input is no terminal. Give a subcommand: photoapp list")
        }
        let behaviors = app.behaviors(.immediately)
        // The behaviors' task ends with the last line of input, as an app's does with the app.
        let task = Task { await behaviors.run() }
        let shown = Task { await Behave.show(behaviors.events) }
        defer {
            behaviors.close()
            task.cancel()
            shown.cancel()
        }
        await behaviors.start()
        while let line = await Self.line() {
            let words = line.split(separator: " ").map(String.init)
            guard let first = words.first else { continue }
            guard first != "quit", first != "exit" else { return }
            do {
                guard let command = try PhotoApp.parseAsRoot(words) as? any AppCommand,
                    !(command is Shell)
                else {
                    Terminal.notice(PhotoApp.helpMessage())
                    continue
                }
                try await command.run(in: app)
            } catch {
                let isUsage = Terminal.isUsage(error)
                Terminal.notice(isUsage ? PhotoApp.fullMessage(for: error) : Terminal.words(error))
            }
        }
    }

    /// Returns the next line of input, without blocking one of Swift's threads; nil at the end.
    private static func line() async -> String? {
        Terminal.prompt()
        return await withCheckedContinuation { continuation in
            input.async { continuation.resume(returning: readLine()) }
        }
    }

    private static let input = DispatchQueue(label: "input")
}
