public import GRDB
import System

/// Writes in groups.
///
/// One thread per database performs all writes. It takes those that wait into one transaction,
/// commits it with a single sync, and then continues their callers.
extension Storage {
    /// The database whose writer's thread this is, or whose write created this task.
    @TaskLocal static var writing: ObjectIdentifier?

    /// Writes, and returns after the changes are on disk.
    ///
    /// Creates the folder and the file if missing. Writes that wait at the same time share a
    /// transaction and its sync, in the order of their calls. Each has its own savepoint, so an
    /// error undoes the changes of its own write only. A cancelled write that waits is removed; one
    /// that has begun is completed.
    ///
    /// `body` runs on the writer's thread:
    /// - It must not end the transaction.
    /// - It may run twice: after another write has broken the transaction that they shared. So it
    ///   changes nothing but the database. Other effects belong to ``write(_:_:then:)``.
    /// - It must not wait for another write to the same database, which would run after it. So a
    ///   task that it creates can't begin one; a detached task can.
    ///
    /// - Throws: ``StorageError`` if the file can't be written or too many writes wait, or the error
    ///   of `body`.
    public func write<Value: Sendable>(
        _ schema: Schema,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await write(schema, body) { $0 }
    }

    /// Writes like ``write(_:_:)``, then passes the value to `committed` and returns its result.
    ///
    /// `committed` runs on the writer's thread after the commit, in the order of the writes. It must
    /// be short.
    public func write<Value: Sendable, Result: Sendable>(
        _ schema: Schema,
        _ body: @escaping @Sendable (Database) throws -> Value,
        then committed: @escaping @Sendable (Value) -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        // It might wait for the write that created this task, and that one for it.
        guard Self.writing != ObjectIdentifier(self) else {
            throw StorageError(
                folder,
                "a write to \(path) began another one; return from the first, then write again"
            )
        }
        let write = CallerWrite(schema, body, then: committed)
        return try await withTaskCancellationHandler {
            // Checked, because the thread sanitizer can't see how the runtime resumes the other kind.
            try await withCheckedThrowingContinuation { caller in
                write.wait(as: caller)
                enqueue(write)
            }
        } onCancel: {
            if writes.cancel(write) { write.resume() }
        }
    }

    private func enqueue(_ write: PendingWrite) {
        switch writes.add(write) {
        case .added: break
        case .isCancelled: write.resume()
        case .isFull:
            let reason = "\(writes.maximumCount) writes to \(path) wait; try again later"
            write.fail(StorageError(folder, reason, isBusy: true))
            write.resume()
        case .needsThread:
            do {
                try startWriter()
            } catch {
                for write in writes.loseThread() {
                    write.fail(StorageError(folder, "\(error)", isBusy: true))
                    write.resume()
                }
            }
        }
    }

    /// Starts the thread, which ends with this object.
    private func startWriter() throws {
        let id = ObjectIdentifier(self)
        try Thread.start { [writes, weak self] in
            Storage.$writing.withValue(id) {
                while let first = writes.waitForFirst() {
                    // No reference to this object or to its file is left when the callers continue:
                    // the file closes with the callers' last reference.
                    for write in self?.performGroup(of: first) ?? [first] { write.resume() }
                }
            }
        }
    }
}
