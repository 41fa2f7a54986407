import ArgumentParser
import PlugboardClient

/// The server's description: a resource that is no action, called as that of any other API.
struct ServerDescription: API.GET {
    typealias Response = DescriptionView
    let path = "openapi.json"
}

/// The title, the version and the paths of a description.
struct DescriptionView: JSONView {
    /// The member `info`.
    struct Info: JSONView {
        static let title = ViewKey<String>("title")
        static let version = ViewKey<String>("version")
        static let keys: [any AnyViewKey] = [title, version]

        var content: ViewContent
        var text: String { "\(self[Self.title]) \(self[Self.version])" }
    }

    static let info = ViewKey<Info>("info")
    static let paths = ViewKey<JSON>("paths")
    static let keys: [any AnyViewKey] = [info, paths]

    var content: ViewContent
    var info: Info { self[Self.info] }
    var pathCount: Int { self[Self.paths].object?.count ?? 0 }
}

/// The screen about the server.
struct About: AppCommand {
    static let configuration = CommandConfiguration(abstract: "Describes the server.")

    @OptionGroup var options: AppOptions

    func run(in app: AppServices) async throws {
        let server = try await app.client.send(ServerDescription())
        Terminal.print("\(server.info.text) has \(server.pathCount) paths")
    }
}
