import ArgumentParser
import AdministrationStore
import Identity
import PlugHTTP
import PostgreSQL
import Storage

/// The command `token`.
struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Creates, lists, rotates and revokes bearer tokens.",
        discussion: """
            The store has only the tokens' digests: the database, or the data folder of a server \
            without one. Running servers apply a change within a second.
            """,
        subcommands: [Create.self, List.self, Rotate.self, Revoke.self]
    )

    /// Runs `body`, and turns errors of the storage and of tokens into messages for the terminal.
    static func explainingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as StorageError {
            throw Failure(error.description)
        } catch let error as AdministrationError {
            throw Failure(error.description)
        } catch let error as PostgreSQLError {
            throw Failure("--database: \(error)")
        } catch let error as TokenError {
            throw Failure.usage(error.description)
        }
    }
}
