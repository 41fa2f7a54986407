import ArgumentParser
import PlugHTTP
import PlugboardClient
import Settings

/// The options of `serve` that wire the photo sample.
struct PhotoOptions: ParsableArguments {
    private static let data = Setting("data", default: "data")

    @Option(data, "The folder of the database.")
    var data: String?

    private static let plugs = Setting<[String]>(
        "plug",
        default: [],
        expected: "ACTION=IMPLEMENTATION",
        accepts: { $0.allSatisfy { PhotoWiring.pair($0) != nil } }
    )

    @Option(
        plugs,
        "Wires an action to another implementation, such as LikePhoto=MemoryLikePhoto.",
        valueName: "action=implementation"
    )
    var plug: [String]

    private static let upstream = Setting<String?>(
        "upstream",
        default: nil,
        hides: { $0.map(ShownURL.mayHaveSecret) ?? false },
        expected: "an http:// or https:// URL without a name and a password",
        accepts: { $0.map(Client.accepts) ?? true }
    )

    @Option(
        upstream,
        "The server that Network… implementations ask, such as https://photos.example."
    )
    var upstream: String?

    static func read(_ options: Self?, _ settings: SettingsReader) -> PhotoWiring {
        PhotoWiring(
            folder: settings.value(of: data, options?.data),
            plugs: settings.value(of: plugs, options?.plug ?? []),
            upstream: settings.value(of: upstream, options?.upstream)
        )
    }
}
