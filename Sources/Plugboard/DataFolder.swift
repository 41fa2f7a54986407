package import BehaviorStore
package import Identity
import Logging
import PlugHTTP
package import Storage

/// What a server keeps in its data folder.
///
/// Nothing of it is opened before somebody needs it.
package struct DataFolder: Sendable {
    /// The database.
    package let storage: Storage
    /// The bearer tokens.
    package let tokens: TokenStore
    /// The answers to requests that may come again.
    let idempotency: Idempotency
    /// The plans that were set while the server ran.
    package let plugs: PlugStore
    /// The behavior documents.
    package let behaviors: SQLiteBehaviors

    /// The data in a folder.
    ///
    /// - Throws: ``StorageError`` where the folder can't be used.
    init(_ folder: String) throws(StorageError) {
        storage = Storage.of(folder)
        tokens = TokenStore(storage)
        idempotency = Idempotency(SQLiteIdempotency(storage))
        plugs = PlugStore(storage)
        behaviors = SQLiteBehaviors(storage)
        try storage.check(.tokens, .idempotency, .plugs, .behaviors)
    }

    /// Follows the file as others change it, until the task is cancelled.
    func watch(_ logger: Logger) async {
        await tokens.watch { logger.error("tokens: those known before stay: \($0)") }
    }
}

extension StorageError: ProblemConvertible {
    /// What the one who asked is told: nothing of where it is.
    package var problem: Problem {
        .serviceUnavailable(
            isBusy
                ? "others write too much at the same time"
                : "what is kept can't be reached or written now; the server's log says why"
        )
    }
}
