import AdministrationStore
import ArgumentParser
import BehaviorStore
import Glibc
import Logging
import PlugHTTP
import Plugboard
import PostgreSQL
import Storage

/// The options of commands that open the document store directly, named as for `serve`.
///
/// A server may be running on the store.
struct StoreOptions: ParsableArguments {
    @Option(GeneralOptions.data)
    var data: String?

    @Option(GeneralOptions.database)
    var database: String?

    @Option(GeneralOptions.behaviorsFolder)
    var behaviorsFolder: String?

    /// The place of a document store.
    enum Place {
        case data(String)
        case documents(Server.Configuration.DocumentStore)

        static func database(_ url: String) -> Place { .documents(.postgreSQL(url)) }
        static func folder(_ path: String) -> Place { .documents(.folder(path)) }
    }

    /// Returns the place from the command line, else from the environment; nil if neither has one.
    func place() throws -> Place? {
        let named: [Place] = [
            data.map(Place.data), database.map(Place.database), behaviorsFolder.map(Place.folder),
        ].compactMap(\.self)
        guard named.count < 2 else {
            throw Failure.usage("give only one of --data, --database and --behaviors-folder")
        }
        if let first = named.first { return first }
        let database = Environment.value(of: GeneralOptions.database).map(Place.database)
        let folder = Environment.value(of: GeneralOptions.behaviorsFolder).map(Place.folder)
        guard database == nil || folder == nil else {
            throw Failure.usage(
                "PLUGBOARD_DATABASE and PLUGBOARD_BEHAVIORS_FOLDER are both set: give --database "
                    + "or --behaviors-folder"
            )
        }
        return database ?? folder ?? Environment.value(of: GeneralOptions.data).map(Place.data)
    }

    /// The opened stores.
    struct Stores {
        /// The documents.
        let behaviors: any BehaviorBackend
        /// The tokens, plugs and their audit; nil for a folder of documents.
        let administration: (any AdministrationBackend)?
    }

    /// Opens the stores.
    ///
    /// - Throws: ``Failure`` if `mustExist` is set and the store is missing.
    func open(mustExist: Bool) throws -> Stores {
        let quiet = Logger(label: "store") { _ in SwiftLogNoOpLogHandler() }
        switch try place() ?? .data("data") {
        case .data(let folder):
            let storage = Storage.of(folder)
            guard storage.exists || !mustExist else { throw Failure("there is no \(storage.path)") }
            return Stores(
                behaviors: SQLiteBehaviors(storage),
                administration: DataFolder.administration(in: storage)
            )
        case .documents(let place):
            if mustExist, case .folder(let folder) = place, access(folder, F_OK) != 0 {
                throw Failure("there is no \(folder)")
            }
            do {
                let stores = try place.open(quiet)
                return Stores(
                    behaviors: stores.behaviors,
                    administration: stores.administration
                )
            } catch let error as PostgreSQLError {
                throw Failure.usage("--database: \(error)")
            }
        }
    }

    /// Runs `body`, and turns errors of the store and of archives into a ``Failure``.
    static func explainingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await Token.explainingErrors(body)
        } catch let error as BehaviorStoreError {
            throw Failure(error.description)
        } catch let error as BehaviorArchive.Invalid {
            throw Failure(error.description)
        }
    }
}
