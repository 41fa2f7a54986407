import ArgumentParser
import BehaviorClient
import HTTPSyntax
import Synchronization
import UnixSignals

/// The command `run`: an app of three modules in a terminal.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Fetches a behavior document and performs it.",
        discussion: """
            Performs the functions of the modules MyFirstModule, MySecondModule and MyThirdModule \
            in the document's order. Then it lists the skipped functions with the reasons. A skip \
            is no error: an app performs the functions that it has. The status is 1 if the \
            document can't be fetched or is invalid.

            With --watch it continues as an app does: it performs each newer document until \
            SIGINT or SIGTERM, and prints an object for each with --json. With --storage it starts from the stored document, also offline, \
            and quarantines modules that crash it.
            """
    )

    @Argument(help: "The document's URL, such as http://localhost:8080/behaviors.json.")
    var url: String

    @Flag(
        help: """
            Opens the first http, https or mailto link after printing it. On a terminal it asks \
            before each further one.
            """
    )
    var open = false

    @Flag(help: "Performs each newer document, until SIGINT or SIGTERM.")
    var watch = false

    @Option(help: "Seconds between two fetches with --watch.")
    var interval = 5

    @Option(
        help: "The folder for documents and crashes with --watch. The default is to store none."
    )
    var storage: String?

    @Option(help: "The user's properties as a JSON object, which rules read.")
    var context: String?

    @Flag(
        help: """
            Prints the calls and the skips as JSON. The modules' texts go to the standard error.
            """
    )
    var json = false

    @OptionGroup var options: ClientOptions

    private static let opens = Atomic<Bool>(false)
    private static let printsJSON = Atomic<Bool>(false)

    /// Prints a line of a module.
    static func show(_ line: String) {
        guard printsJSON.load(ordering: .relaxed) else { return Output.print(line) }
        Output.writeError(line)
    }

    /// Whether to open links.
    ///
    /// It is static, since modules are made by name and without arguments.
    static var opensLinks: Bool { opens.load(ordering: .relaxed) }

    func validate() throws {
        guard (1...86_400).contains(interval) else {
            throw ValidationError("--interval \(interval) is not between 1 and 86400 seconds.")
        }
        _ = try properties()
        guard watch || storage == nil else {
            throw ValidationError("--storage has an effect with --watch only.")
        }
    }

    func run() async throws {
        Self.opens.store(open, ordering: .relaxed)
        Self.printsJSON.store(json, ordering: .relaxed)
        try checkURL()
        var settings = BehaviorClient.Options()
        if let transport = options.transport { settings.transport = transport }
        settings.updates = .immediately
        settings.context = try properties()
        settings.interval = .seconds(interval)
        let client = BehaviorClient(
            url,
            ModuleCatalog("GenericProtocol") {
                MyFirstModule.self
                MySecondModule.self
                MyThirdModule.self
            },
            bundled: Array("[]".utf8),
            storage: storage.map { BehaviorStorage(folder: $0) },
            options: settings
        )
        if watch { await follow(client) } else { try await performOnce(client) }
    }

    /// Returns the properties of `--context`; none without it.
    private func properties() throws -> JSON.Object {
        guard let context else { return [:] }
        do {
            if let object = try JSON(parsing: Array(context.utf8)).object { return object }
            throw ValidationError("--context must be a JSON object.")
        } catch let error as JSONError {
            throw ValidationError("--context is not JSON: \(error)")
        }
    }

    private func performOnce(_ client: BehaviorClient) async throws {
        do {
            _ = try await client.refresh()
        } catch {
            throw Failure(text(error))
        }
        show(await client.start(), isWatched: false)
    }

    /// Performs newer documents until a signal, which is a clean stop.
    private func follow(_ client: BehaviorClient) async {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            group.addTask {
                for await event in client.events { show(event) }
            }
            group.addTask {
                for await _ in signals { return }
            }
            await group.next()
            client.close()
            group.cancelAll()
        }
    }

    private func show(_ event: BehaviorEvent) {
        switch event {
        case .performed(let performance): show(performance, isWatched: true)
        case .stored: break
        case .fetchFailed(let error): Output.writeError(text(error))
        }
    }

    private func show(_ performance: BehaviorPerformance, isWatched: Bool) {
        let unopened = LinkOpener.takeUnopenedCount()
        if unopened > 0 {
            Output.writeError(
                "\(unopened) links weren't opened; without asking the limit is "
                    + "\(LinkOpener.maximumCount)"
            )
        }
        guard !json else { return Output.print(Self.json(of: performance)) }
        for problem in performance.problems { Output.writeError(problem) }
        for report in performance.guardReports { Output.writeError("guard: \(report)") }
        let (calls, skips) = (performance.report.performed, performance.report.skipped)
        if !skips.isEmpty { Output.print("") }
        for skip in skips {
            let name = [skip.module, skip.function].compactMap(\.self).joined(separator: ".")
            Output.print("skipped \(name): \(skip.reason)")
        }
        guard isWatched else { return }
        Output.print(
            "performed the \(performance.source) document \(performance.revision): "
                + "\(calls.count) calls, \(skips.count) skips"
        )
    }

    private static func json(of performance: BehaviorPerformance) -> JSON {
        func texts(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
        let report = performance.report
        return [
            "source": .string(performance.source.rawValue),
            "revision": .string(performance.revision),
            "performed": .array(
                report.performed.map {
                    ["module": .string($0.module), "function": .string($0.function)]
                }
            ),
            "skipped": .array(
                report.skipped.map {
                    [
                        "module": .string($0.module),
                        "function": $0.function.map(JSON.string) ?? .null,
                        "pointer": .string($0.pointer), "reason": .string("\($0.reason)"),
                    ]
                }
            ),
            "guard": texts(performance.guardReports.map(\.description)),
            "problems": texts(performance.problems),
        ]
    }

    private func text(_ error: any Error) -> String {
        "\(RedactedURL.text(url)): \(ClientOptions.text(error))"
    }

    /// Rejects a text that isn't a URL as a usage error.
    private func checkURL() throws {
        let shown = RedactedURL.text(url)
        // The text before an @ may be a password. An @ in the query is harmless.
        guard !url.prefix(while: { $0 != "?" }).contains("@") else {
            throw Failure.usage(
                "'\(shown)' has a name or a password; write an @ in the path as %40"
            )
        }
        guard url.contains("://") else {
            throw Failure.usage("'\(shown)' is not a URL such as http://localhost:8080/…")
        }
    }
}
