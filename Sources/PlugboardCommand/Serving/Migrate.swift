import ArgumentParser
import JSONCodec
import Plugboard
import PostgreSQL

/// The command `migrate`.
struct Migrate<Command: ServerCommand>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "migrate",
            abstract: "Creates and changes the tables of the PostgreSQL database.",
            discussion: """
                It takes the options of serve. Servers with --no-migrate need it before their \
                start, and their user needs no permission to create tables. Several processes may \
                run it at once: one makes the changes.
                """
        )
    }

    @Flag(
        help: """
            Prints the SQL of the missing statements and the grants, and changes nothing. Without \
            --database it prints all statements.
            """
    )
    var print = false

    @Option(
        help: ArgumentHelp(
            "The user of the servers, to grant what they need. --print assumes plugboard.",
            valueName: "user"
        )
    )
    var grantTo: String?

    @Flag(help: "Prints the versions, and with --print the statements, as JSON.")
    var json = false

    @Option(ClientOption.config)
    var config: String?

    @OptionGroup var own: Command
    @OptionGroup var options: ServeOptions

    func run() async throws {
        if grantTo?.lowercased() == "public" {
            throw Failure.usage("--grant-to: public is everyone; name the servers' user")
        }
        let setup = try ServerSetup(own, config: config, given: options.given) {
            try Self.parse($0).own
        }
        let server = setup.described
        let schemas = DatabaseSchemas.all + server.schemas
        guard case .postgreSQL(let url) = server.configuration.documents else {
            guard print else { throw Failure.usage("migrate needs a database: give --database") }
            return show(schemas.map { ($0, nil) }, usage: nil)
        }
        do {
            let client = try Self.client(url)
            if print {
                var versions: [(PostgreSQLSchema, Int?)] = []
                for schema in schemas {
                    versions.append((schema, try await schema.versions(client).stored))
                }
                let user = grantTo ?? Self.assumedUser
                return show(versions, usage: try await PostgreSQLSchema.usage(of: client, by: user))
            }
            var changes: [JSON] = []
            for schema in schemas { changes.append(try await migrate(schema, client)) }
            if let grantTo, let usage = try await PostgreSQLSchema.usage(of: client, by: grantTo) {
                try await client.run(SQLStatement(stringLiteral: usage))
            }
            if json { Output.print(.array(changes)) }
        } catch let error as PostgreSQLError {
            let isUsage = error.kind == .wrongAddress
            if isUsage { throw Failure.usage("--database: \(error)") }
            Output.writeError("Error: \(Failure(error.description).description)")
            throw ExitCode(
                [.unavailable, .denied].contains(error.kind) && !error.isUnprepared ? 69 : 1
            )
        }
    }

    /// Changes of large tables may take long.
    private static func client(_ url: String) throws -> PostgreSQLClient {
        var settings = PostgreSQLConfiguration()
        settings.statementTimeout = .seconds(86_400)
        return try PostgreSQLClient(PostgreSQLAddress(url), settings)
    }

    /// Changes a schema's tables and prints the change; returns it as JSON.
    private func migrate(
        _ schema: PostgreSQLSchema,
        _ client: PostgreSQLClient
    ) async throws -> JSON {
        let before = try await schema.migrate(client)
        let change =
            switch before {
            case schema.version: "version \(before), unchanged"
            case 0: "created, version \(schema.version)"
            default: "version \(before) → \(schema.version)"
            }
        if !json { Output.print("\(schema.name): \(change)") }
        if let grantTo {
            try await schema.grant(to: grantTo, client)
            if !json { Output.print("\(schema.name): granted to \(grantTo)") }
        }
        return [
            "name": .string(schema.name), "before": .number(JSON.Number(before)),
            "version": .number(JSON.Number(schema.version)),
            "grantedTo": grantTo.map(JSON.string) ?? .null,
        ]
    }

    /// The user that `--print` names without `--grant-to`.
    private static var assumedUser: String { "plugboard" }

    private func show(_ schemas: [(PostgreSQLSchema, Int?)], usage: String?) {
        let user = grantTo ?? Self.assumedUser
        let grants = (usage.map { [$0] } ?? []) + schemas.flatMap { $0.0.grants(to: user) }
        guard !json else {
            return Output.print([
                "schemas": .array(schemas.map(Self.json)),
                "grants": .array(grants.map(JSON.string)),
            ])
        }
        var lines: [String] = []
        for (schema, stored) in schemas {
            let script = schema.script(after: stored)
            guard !script.isEmpty else {
                lines.append("-- \(schema.name): version \(schema.version), unchanged")
                continue
            }
            let before = stored.map { "version \($0) → " } ?? "version "
            lines.append("-- \(schema.name): \(before)\(schema.version)")
            lines += ["BEGIN;"] + script + ["COMMIT;", ""]
        }
        lines.append("-- The permissions of a server's user")
        lines += grants
        for line in lines.flatMap({ $0.split(separator: "\n", omittingEmptySubsequences: false) }) {
            Output.print(String(line))
        }
    }

    /// The statements that a database of that version lacks; nil is no database.
    private static func json(_ schema: PostgreSQLSchema, _ stored: Int?) -> JSON {
        [
            "name": .string(schema.name),
            "before": stored.map { .number(JSON.Number($0)) } ?? .null,
            "version": .number(JSON.Number(schema.version)),
            "statements": .array(schema.script(after: stored).map(JSON.string)),
        ]
    }
}
