import ArgumentParser
import Behaviors
import PlugHTTP
import PlugboardClient
import Synchronization

/// The command `plugboard run`.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Fetches a behavior document and performs it.",
        discussion: """
            Performs the functions that the modules MyFirstModule, MySecondModule and MyThirdModule \
            have, in the document's order, then lists what was skipped and why. A skip is no \
            failure: an app does what it knows. The status is 1 if the document can't be fetched or \
            isn't one.
            """
    )

    @Argument(help: "The document's address, such as http://localhost:8080/behaviors.json.")
    var url: String

    @Flag(help: "Opens links, in place of printing them only.")
    var open = false

    @OptionGroup var options: ClientOptions

    private static let opens = Atomic<Bool>(false)

    /// Whether links are opened.
    ///
    /// Modules are made by name and get no arguments.
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
        guard !report.skipped.isEmpty else { return }
        Output.print("")
        for skip in report.skipped {
            let name = [skip.module, skip.function].compactMap(\.self).joined(separator: ".")
            Output.print(line: "skipped \(name): \(skip.reason)")
        }
    }

    private func fetch() async throws -> BehaviorDocument {
        let (base, path) = try Self.split(url)
        do {
            return try await options.client(base).get(path)
        } catch {
            throw Failure("\(ShownURL.text(url)): \(ClientOptions.text(error))")
        }
    }

    /// Splits an address into the server and the path on it.
    private static func split(_ url: String) throws -> (base: String, path: String) {
        let shown = ShownURL.text(url)
        // What stands before one may be a part of a password; a query's is another's.
        guard !url.prefix(while: { $0 != "?" }).contains("@") else {
            throw Failure.usage("'\(shown)' has a name or a password; an @ of its path is %40")
        }
        guard let scheme = url.firstRange(of: "://") else {
            throw Failure.usage("'\(shown)' is not an address such as http://localhost:8080/…")
        }
        let rest = url[scheme.upperBound...]
        guard let slash = rest.firstIndex(of: "/") else { return (url, "/behaviors.json") }
        return (String(url[..<slash]), String(url[slash...]))
    }
}
