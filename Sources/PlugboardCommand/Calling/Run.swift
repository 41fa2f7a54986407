import HTTPSyntax
import ArgumentParser
import Behaviors
import PlugHTTP
import PlugboardClient
import Synchronization

/// The command `run`.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Fetches a behavior document and performs it.",
        discussion: """
            Performs the functions of the modules MyFirstModule, MySecondModule and MyThirdModule \
            in the document's order. Then it lists the skipped functions with the reasons. A skip \
            is no error: an app performs the functions that it has. The status is 1 if the \
            document can't be fetched or is invalid.
            """
    )

    @Argument(help: "The document's URL, such as http://localhost:8080/behaviors.json.")
    var url: String

    @Flag(help: "Opens the first 5 http, https and mailto links after printing them.")
    var open = false

    @OptionGroup var options: ClientOptions

    private static let opens = Atomic<Bool>(false)

    /// Whether to open links.
    ///
    /// It is static, since modules are made by name and without arguments.
    static var opensLinks: Bool { opens.load(ordering: .relaxed) }

    func run() async throws {
        Self.opens.store(open, ordering: .relaxed)
        let document = try await fetch()
        let catalog = ModuleCatalog("GenericProtocol") {
            MyFirstModule.self
            MySecondModule.self
            MyThirdModule.self
        }
        let report = await catalog.perform(document)
        if LinkOpener.unopenedCount > 0 {
            Output.writeError(
                "\(LinkOpener.unopenedCount) links weren't opened; the limit is "
                    + "\(LinkOpener.maximumCount)"
            )
        }
        guard !report.skipped.isEmpty else { return }
        Output.print("")
        for skip in report.skipped {
            let name = [skip.module, skip.function].compactMap(\.self).joined(separator: ".")
            Output.print("skipped \(name): \(skip.reason)")
        }
    }

    private func fetch() async throws -> BehaviorDocument {
        let (base, path) = try Self.split(url)
        do {
            return try await options.client(base).get(path)
        } catch {
            throw Failure("\(RedactedURL.text(url)): \(ClientOptions.text(error))")
        }
    }

    /// Splits a URL into the server's URL and the path.
    private static func split(_ url: String) throws -> (base: String, path: String) {
        let shown = RedactedURL.text(url)
        // The text before an @ may be a password. An @ in the query is harmless.
        guard !url.prefix(while: { $0 != "?" }).contains("@") else {
            throw Failure.usage(
                "'\(shown)' has a name or a password; write an @ in the path as %40"
            )
        }
        guard let scheme = url.firstRange(of: "://") else {
            throw Failure.usage("'\(shown)' is not a URL such as http://localhost:8080/…")
        }
        let rest = url[scheme.upperBound...]
        guard let slash = rest.firstIndex(of: "/") else { return (url, "/behaviors.json") }
        return (String(url[..<slash]), String(url[slash...]))
    }
}
