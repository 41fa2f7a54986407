package import AdministrationStore
package import BehaviorStore
import PlugHTTP
package import Storage

/// The stores in a server's data folder.
///
/// Nothing is opened before it is used.
package struct DataFolder: Sendable {
    /// The database.
    package let storage: Storage
    /// The tokens, plugs and their audit.
    package let administration: SQLiteAdministration
    /// The stored responses to requests with an `Idempotency-Key`.
    let idempotency: Idempotency
    /// The behavior documents.
    package let behaviors: SQLiteBehaviors

    /// Opens the data in a folder.
    ///
    /// - Throws: ``StorageError`` if the folder can't be used.
    init(_ folder: String) throws(StorageError) {
        storage = Storage.of(folder)
        administration = Self.administration(in: storage)
        idempotency = Idempotency(SQLiteIdempotency(storage))
        behaviors = SQLiteBehaviors(storage)
        try storage.check(Self.schemas)
    }

    /// Returns the tokens, plugs and their audit in a folder.
    package static func administration(in storage: Storage) -> SQLiteAdministration {
        SQLiteAdministration(storage, beside: [.idempotency])
    }

    /// The schemas of the database.
    static let schemas: [Schema] = Schema.administration.parts + [.idempotency, .behaviors]

    /// The check for the database, beside documents in another store.
    var readiness: ReadinessCheck {
        ReadinessCheck("data:write", for: .write) { [storage] in _ = try storage.isThere() }
    }
}

extension StorageError: ProblemConvertible {
    /// The client's error, which leaves out the file's path.
    package var problem: Problem {
        .serviceUnavailable(
            isBusy
                ? "too many concurrent writes; retry later"
                : "the store can't be read or written now; the server's log says why"
        )
    }
}
