import PhotoContracts
import PlugboardCommand

/// The command `photos`.
@main
struct PhotoServer: ConfiguredServerCommand {
    static let commandName = "photos"
    static let abstract = "A server of photos that apps list, post and like."
    static let examples = ["/photos/42/like -X POST", "/photos"]

    @OptionGroup var wiring: PhotoOptions

    func server(_ configuration: Server.Configuration) throws -> Server {
        let database = try wiring.plug(configuration)
        var server = Server(
            behaviors: .file("\(configuration.publicFolder ?? "public")/behaviors.json"),
            configuration: configuration
        ) {
            ListPhotos.self
            GetPhoto.self
            PostPhoto.self
            LikePhoto.self
            UnlikePhoto.self
            WatchLikes.self
            Ping.self
        }
        if let database {
            server.configuration.dataFolder = database.folder
            server.preparation = { try await database.open() }
        }
        server.schemas = [PostgreSQLPhotos.schema()]
        switch configuration.documents {
        // Without PostgreSQL the server still serves documents, and reports the loss itself.
        case .postgreSQL: break
        case .folder, nil: server.readiness = [ReadinessCheck(CheckPhotos.self)]
        }
        return server
    }
}
