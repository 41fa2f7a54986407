import PlugboardClient
import PlugboardCommand

/// The options that plug the photos' actions.
struct PhotoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Plugs another implementation into an action, such as LikePhoto=memory.",
            valueName: "action=implementation"
        )
    )
    var plug: [String] = []

    @Option(help: "The URL of the network implementations' server: https://photos.example.")
    var upstream: String?

    func validate() throws {
        for text in plug where Self.pair(text) == nil {
            throw ValidationError("--plug: expected ACTION=IMPLEMENTATION, not \"\(text)\"")
        }
        guard let upstream, !Client.accepts(upstream) else { return }
        throw ValidationError(
            "--upstream: expected an http:// or https:// URL without a name and a password"
        )
    }

    /// Plugs each action.
    ///
    /// - Returns: the database; nil if no action uses it.
    func plug(dataFolder: String) throws -> PhotoDatabase? {
        let database = PhotoDatabase(folder: dataFolder)
        let sources = PhotoPlugs.Sources(
            database: database,
            memory: MemoryPhotos(),
            network: upstream.map { Client($0) }
        )
        let chosen = Dictionary(plug.compactMap(Self.pair)) { _, last in last }
        let stored: [String]
        do {
            stored = try PhotoPlugs.plug(chosen, sources)
        } catch let error as UnknownPlug {
            throw ValidationError("--plug: \(error)")
        }
        guard !stored.isEmpty else { return nil }
        try database.check()
        return database
    }

    private static func pair(_ text: String) -> (String, String)? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return (String(parts[0]), String(parts[1]))
    }
}
