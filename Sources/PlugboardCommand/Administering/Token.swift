import ArgumentParser
import Identity
import PlugHTTP
import Storage

/// The command `token`.
struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Creates, lists, rotates and revokes bearer tokens.",
        discussion: """
            The data folder stores only the tokens' digests. A running server applies a change \
            within a second.
            """,
        subcommands: [Create.self, List.self, Rotate.self, Revoke.self]
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
