package import BehaviorStore
package import Identity
import Logging
import PlugHTTP
package import Storage

/// The stores in a server's data folder.
///
/// Nothing is opened before it is used.
package struct DataFolder: Sendable {
    /// The database.
    package let storage: Storage
    /// The bearer tokens.
    package let tokens: TokenStore
    /// The rejected tokens.
    let rejections = RejectedCredentials()
    /// The stored responses to requests with an `Idempotency-Key`.
    let idempotency: Idempotency
    /// The plans that were set while the server ran.
    package let plugs: PlugStore
    /// The behavior documents.
    package let behaviors: SQLiteBehaviors

    /// Opens the data in a folder; its tokens also have the scopes that `implied` adds.
    ///
    /// - Throws: ``StorageError`` if the folder can't be used.
    init(
        _ folder: String,
        implied: ImpliedScopes = ImpliedScopes()
    ) throws(StorageError) {
        storage = Storage.of(folder)
        tokens = TokenStore(storage, implied: implied)
        idempotency = Idempotency(SQLiteIdempotency(storage))
        plugs = PlugStore(storage)
        behaviors = SQLiteBehaviors(storage)
        try storage.check(Self.schemas)
    }

    /// The schemas of the database.
    static let schemas: [Schema] = [
        .tokens, .scopes, .idempotency, .plugs, .behaviors, .administration,
    ]

    /// The check for the database, beside documents in another store.
    var readiness: ReadinessCheck {
        ReadinessCheck("data:write", for: .write) { [storage] in _ = try storage.isThere() }
    }

    /// Follows changes of the file by other processes, and records rejected tokens and the last
    /// uses of others, until the task is cancelled.
    func watch(_ logger: Logger) async {
        await withTaskGroup { [tokens, rejections, storage] group in
            group.addTask {
                await tokens.watch { logger.error("tokens: the previous ones stay valid: \($0)") }
            }
            group.addTask {
                await rejections.record(into: storage) { logger.warning("tokens: \($0)") }
            }
            group.addTask {
                await tokens.recordUses {
                    logger.error("tokens: last uses can't be written: \($0)")
                }
            }
        }
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
