import BehaviorStore
import Glibc
import Plugboard
import Settings
import Storage

/// The options of `serve` for its addresses, folders and documents.
enum GeneralOptions: OptionSection {
    static let title = "General"

    static let options = [
        ServeOption("host", \.server.host, help: "A host name, an address, or unix:PATH."),
        ServeOption("port", \.server.port, help: "The port; 0 lets the system choose one."),
        ServeOption(
            "public",
            \.server.publicFolder,
            value: "folder",
            help: "The folder of public files."
        ),
        data,
        ServeOption(
            "loops",
            \.server.loops,
            .range(1...Server.Configuration.maximumLoops),
            default: "one for each core",
            help: "Event loops, each with a thread."
        ),
        ServeOption(
            "environment",
            \.server.environment,
            SettingRule(DocumentKey.shape, accepts: DocumentKey.isName),
            value: "name",
            help: "The environment whose behavior documents are served, such as staging."
        ),
        database,
        ServeOption(
            "migrate",
            \.server.migratesDatabase,
            help: """
                Whether the server creates and changes the tables of --database. With --no-migrate \
                the command migrate does.
                """
        ),
        behaviorsFolder,
    ]

    static let data = ServeOption(
        "data",
        \.server.dataFolder,
        value: "folder",
        help: "The folder of the server's own data."
    )

    static let database = ServeOption(
        "database",
        \.documents.database,
        SettingRule("postgres://user:password@host/name") {
            $0.map { $0.hasPrefix("postgres://") || $0.hasPrefix("postgresql://") } ?? true
        },
        value: "url",
        hides: { _ in true },
        help: """
            A PostgreSQL database for everything that the server stores, shared by several \
            servers: behavior documents, tokens, plugs, the audit, the responses to \
            Idempotency-Keys: postgres://user:password@host/name. Other users can see the command \
            line: PLUGBOARD_DATABASE is safer.
            """
    )

    static let behaviorsFolder = ServeOption(
        "behaviors-folder",
        \.documents.folder,
        value: "folder",
        help: "A folder of files that stores the behavior documents. The files may be edited."
    )

    static func complete(_ values: inout ServeValues, _ settings: SettingsReader) {
        let documents = values.documents
        if documents.database != nil, documents.folder != nil {
            settings.reject(
                behaviorsFolder.name,
                "the documents are stored in \(settings.place(of: database.name)) already"
            )
        }
        if let url = documents.database { values.server.documents = .postgreSQL(url) }
        if let folder = documents.folder { values.server.documents = .folder(folder) }
        // Read-only systems have no folder of that name, and can't make one.
        if settings.isDefault(data.name), let folder = values.server.dataFolder,
            folder == ServeValues.standard.server.dataFolder, access(folder, F_OK) != 0,
            (try? Storage.of(folder).check()) == nil
        {
            values.server.dataFolder = nil
        }
    }
}
