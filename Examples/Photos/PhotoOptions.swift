import PlugboardClient
import PlugboardCommand
import PostgreSQL

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
    /// - Returns: the database in the data folder; nil if no action uses it.
    func plug(_ configuration: Server.Configuration) throws -> PhotoDatabase? {
        let database = PhotoDatabase(folder: configuration.dataFolder ?? "data")
        let sources = PhotoPlugs.Sources(
            database: database,
            postgresql: Self.postgresql(configuration),
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

    /// Returns the photos in the database of `--database`; nil without the option.
    private static func postgresql(_ configuration: Server.Configuration) -> PostgreSQLPhotos? {
        guard case .postgreSQL(let url) = configuration.documents else { return nil }
        var settings = PostgreSQLConfiguration()
        settings.migrates = configuration.migratesDatabase
        // The server reports an invalid address at its start.
        return (try? PostgreSQLClient(url, settings)).map(PostgreSQLPhotos.init)
    }

    private static func pair(_ text: String) -> (String, String)? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return (String(parts[0]), String(parts[1]))
    }
}
