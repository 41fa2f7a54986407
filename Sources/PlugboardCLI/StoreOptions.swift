import ArgumentParser
import BehaviorStore
import Glibc
import Logging
import PlugHTTP
import Plugboard
import PostgreSQL
import Storage

/// The options of commands that work on what keeps behavior documents, whether a server runs on it or
/// not: those of `serve`.
struct StoreOptions: ParsableArguments {
    @Option("The data folder. (default: data)", value: "folder")
    var data: String?

    @Option("A PostgreSQL. Others see a command line: PLUGBOARD_DATABASE is better.", value: "url")
    var database: String?

    @Option("A folder of files.", value: "folder")
    var behaviorsFolder: String?

    /// Where documents are kept.
    enum Place {
        case data(String)
        case documents(Server.Configuration.DocumentPlace)

        static func database(_ url: String) -> Place { .documents(.postgreSQL(url)) }
        static func folder(_ path: String) -> Place { .documents(.folder(path)) }
    }

    /// The place that the command line names, or else the environment; nil where neither does.
    func place() throws -> Place? {
        let named: [Place] = [
            data.map(Place.data), database.map(Place.database), behaviorsFolder.map(Place.folder),
        ].compactMap(\.self)
        guard named.count < 2 else {
            throw Failure.usage("--data, --database, --behaviors-folder: give one of them")
        }
        if let first = named.first { return first }
        let database = Environment.value("DATABASE").map(Place.database)
        let folder = Environment.value("BEHAVIORS_FOLDER").map(Place.folder)
        guard database == nil || folder == nil else {
            throw Failure.usage(
                "PLUGBOARD_DATABASE, PLUGBOARD_BEHAVIORS_FOLDER: one of them, or say which"
            )
        }
        return database ?? folder ?? Environment.value("DATA").map(Place.data)
    }

    /// What keeps the documents.
    ///
    /// - Throws: a ``Failure`` where there is nothing at that place but something has to be.
    func keeping(mustExist: Bool) throws -> any BehaviorKeeping {
        let quiet = Logger(label: "store") { _ in SwiftLogNoOpLogHandler() }
        switch try place() ?? .data("data") {
        case .data(let folder):
            let storage = Storage.of(folder)
            guard storage.exists || !mustExist else { throw Failure("there is no \(storage.path)") }
            return SQLiteBehaviors(storage)
        case .documents(let place):
            if mustExist, case .folder(let folder) = place, access(folder, F_OK) != 0 {
                throw Failure("there is no \(folder)")
            }
            do {
                return try place.keeping(quiet)
            } catch let error as PostgreSQLError {
                throw Failure.usage("--database: \(error)")
            }
        }
    }

    /// Runs what may fail for reasons that people are told.
    static func telling<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await Token.telling(body)
        } catch let error as BehaviorStoreError {
            throw Failure(error.description)
        } catch let error as BehaviorArchive.Invalid {
            throw Failure(error.description)
        }
    }
}
