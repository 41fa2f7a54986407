import ArgumentParser
import HTTPSyntax
import Identity
import PlugHTTP
import Storage

/// The command `token`.
struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Creates, lists and revokes bearer tokens.",
        discussion: """
            The data folder stores only the tokens' digests. A running server applies a change \
            within a second.
            """,
        subcommands: [Create.self, List.self, Revoke.self]
    )

    struct DataOptions: ParsableArguments {
        @Option(GeneralOptions.data)
        var data: String?

        var storage: Storage {
            Storage.of(data ?? Environment.value(of: GeneralOptions.data) ?? "data")
        }
        var tokens: TokenStore { TokenStore(storage) }
    }

    /// Runs `body`, and turns errors of the storage and of tokens into messages for the terminal.
    static func explainingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as StorageError {
            throw Failure(error.description)
        } catch let error as TokenError {
            throw Failure.usage(error.description)
        }
    }
}

extension Token {
    /// The command `token create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a token and prints it once.",
            discussion: """
                The standard output gets only the token. The data folder stores its digest, so it \
                can't be printed again.
                """
        )

        @Option(help: "A scope of the token, such as admin; may be repeated.")
        var scope: [String]

        @Option(help: "The name of the token's caller.")
        var name = ""

        @Option("The lifetime: 90s, 15m, 12h, 30d or 52w. (default: unlimited)", value: "time")
        var expires: String?

        @OptionGroup var options: DataOptions

        func run() async throws {
            let lifetime = try expires.map { text in
                guard let seconds = Token.seconds(text) else {
                    throw Failure.usage("--expires: expected a time such as 30d, not \"\(text)\"")
                }
                return seconds
            }
            if let list = scope.first(where: { $0.contains(",") }) {
                throw Failure.usage("--scope: expected one scope, not \"\(list)\"; repeat --scope")
            }
            let scopes = Scopes(scope)
            let made = try await Token.explainingErrors {
                try await options.tokens.create(
                    name: name,
                    scopes: scopes,
                    lifetime: lifetime,
                    by: .command
                )
            }
            let end = made.record.expires.map { ", until " + HTTPDate.timestamp($0) } ?? ""
            Output.writeError("token \(made.record.id) for \(scopes)\(end); it isn't shown again:")
            Output.print(made.text)
        }
    }

    /// The command `token list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tokens.")

        @OptionGroup var options: DataOptions

        func run() async throws {
            let records = try await Token.explainingErrors { try await options.tokens.list() }
            if !options.storage.exists { Output.writeError("there is no \(options.storage.path)") }
            for record in records {
                let end = record.expires.map(HTTPDate.timestamp) ?? "never"
                let made = HTTPDate.timestamp(record.created)
                let name = record.name.isEmpty ? "" : "  \(record.name)"
                Output.print("\(record.id)  made \(made)  ends \(end)  \(record.scopes)\(name)")
            }
        }
    }

    /// The command `token revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revokes a token.")

        @Argument(help: "The token's number, as create and list print it.")
        var id: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            guard options.storage.exists else {
                throw Failure("there is no \(options.storage.path)")
            }
            guard
                try await Token.explainingErrors({
                    try await options.tokens.revoke(id, by: .command)
                })
            else {
                throw Failure("there is no token \(id)")
            }
        }
    }

    /// Parses a time such as `30d` into seconds; nil if it is invalid.
    static func seconds(_ text: String) -> Int? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
            count > 0
        else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? nil : seconds
    }
}
