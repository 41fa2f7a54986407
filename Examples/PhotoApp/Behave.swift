import ArgumentParser
import BehaviorClient
import UnixSignals

/// The start of the app: it performs the server's behaviors.
struct Behave: AppCommand {
    static let configuration = CommandConfiguration(
        abstract: "Performs the stored behavior and fetches the next one.",
        discussion: """
            A start performs the stored behavior, or the bundled one at first. A newer one is \
            stored for the next start. With --follow the app performs each one as it comes, until \
            SIGINT or SIGTERM.
            """
    )

    @Flag(help: "Performs each newer behavior until SIGINT or SIGTERM.")
    var follow = false

    @OptionGroup var options: AppOptions

    func run(in app: AppServices) async throws {
        let behaviors = app.behaviors(follow ? .immediately : .atNextStart)
        // A stop without it counts as a crash, if a function ran within the last ten seconds.
        defer { behaviors.close() }
        if follow {
            await Self.follow(behaviors)
        } else {
            Self.show(await behaviors.start())
            do {
                if case .stored(let revision) = try await behaviors.refresh() {
                    Terminal.print("stored \(revision) for the next start")
                }
            } catch {
                Terminal.notice("no newer behavior: \(Terminal.words(error))")
            }
        }
    }

    /// Performs each newer behavior until a signal.
    private static func follow(_ behaviors: BehaviorClient) async {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await behaviors.run() }
            group.addTask { await show(behaviors.events) }
            group.addTask { for await _ in signals { return } }
            await group.next()
            group.cancelAll()
        }
    }

    /// Shows events until their end.
    static func show(_ events: AsyncStream<BehaviorEvent>) async {
        for await event in events {
            switch event {
            case .performed(let performance): show(performance)
            case .stored: break
            case .fetchFailed(let error):
                Terminal.notice("no newer behavior: \(Terminal.words(error))")
            }
        }
    }

    /// Shows what was performed and skipped, and what the guard decided.
    static func show(_ performance: BehaviorPerformance) {
        for problem in performance.problems { Terminal.notice("problem: \(problem)") }
        for report in performance.guardReports { Terminal.notice("guard: \(report)") }
        for skip in performance.report.skipped {
            let name = skip.function.map { "\(skip.module).\($0)" } ?? skip.module
            Terminal.print("skipped \(name): \(skip.reason)")
        }
        let (calls, source) = (performance.report.performed.count, performance.source.rawValue)
        Terminal.print(
            "performed \(calls) \(calls == 1 ? "function" : "functions") of the \(source) behavior"
        )
    }
}
