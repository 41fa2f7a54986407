import AdministrationStore
import ArgumentParser
import Identity
import Logging
import Plugboard
import PostgreSQL
import Storage

/// The options of commands that open the store of tokens and plugs directly, named as for `serve`.
///
/// A server may be running on the store.
struct AdministrationOptions: ParsableArguments {
    @Option(GeneralOptions.data)
    var data: String?

    @Option(GeneralOptions.database)
    var database: String?

    @Flag(help: "Prints the result as JSON.")
    var json = false

    /// The opened store.
    struct Store {
        let tokens: TokenStore
        /// The store's place, for messages; it contains no password.
        let place: String
        /// Whether a data folder has no file yet.
        let isMissing: Bool

        /// - Throws: ``Failure`` if a data folder has no file.
        func requireFile() throws {
            if isMissing {
                throw Failure("there is no \(place): name a server's data folder with --data")
            }
        }
    }

    /// Opens the store from the command line, else from the environment.
    ///
    /// As for `serve`, a database takes precedence over a data folder in the environment.
    func open() throws -> Store {
        guard data == nil || database == nil else {
            throw Failure.usage("give only one of --data and --database")
        }
        let url =
            data == nil ? database ?? Environment.value(of: GeneralOptions.database) : nil
        guard let url else {
            let folder = data ?? Environment.value(of: GeneralOptions.data) ?? "data"
            let storage = Storage.of(folder)
            return Store(
                tokens: TokenStore(DataFolder.administration(in: storage)),
                place: storage.path,
                isMissing: !storage.exists
            )
        }
        do {
            let address = try PostgreSQLAddress(url)
            let quiet = Logger(label: "tokens") { _ in SwiftLogNoOpLogHandler() }
            let backend = PostgreSQLAdministration(try PostgreSQLClient(address), logger: quiet)
            return Store(
                tokens: TokenStore(backend),
                place: address.description,
                isMissing: false
            )
        } catch {
            throw Failure.usage("--database: \(error)")
        }
    }
}
