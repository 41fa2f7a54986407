import GRDB
import Glibc

/// The transactions of the writer's thread.
extension Storage {
    /// A transaction's writes by their fate.
    private struct Group {
        /// The writes whose changes the transaction has.
        var performed: [PendingWrite] = []
        /// The writes with an error.
        var failed: [PendingWrite] = []
        /// Whether a write has ended the transaction or damaged its savepoints.
        var isBroken = false

        var count: Int { performed.count + failed.count }

        mutating func fail(_ write: PendingWrite, _ error: any Error) {
            write.fail(error)
            failed.append(write)
        }
    }

    /// Performs the first write and those that wait after it in one transaction.
    ///
    /// - Returns: The ended writes, whose callers can continue.
    func performGroup(of first: PendingWrite) -> [PendingWrite] {
        // If another process has locked the file, these wait as long as the first one does.
        let waiting = writes.waitingCount
        var group = Group()
        do {
            let opened = try ready(first.schema) ?? open(first.schema)
            let failure = opened.pool.writeWithoutTransaction { database in
                perform(first, &group, opened, database)
            }
            if let failure { throw failure }
        } catch {
            let error = meaning(of: error)
            group.fail(first, error)
            if let error = error as? StorageError, error.isBusy {
                for write in writes.take(atMost: waiting) { group.fail(write, error) }
            }
        }
        return group.failed + group.performed
    }

    /// Performs a group's transaction, from its begin to its commit or rollback.
    ///
    /// - Returns: The reason why the transaction can't begin; nil if it has begun.
    private func perform(
        _ first: PendingWrite,
        _ group: inout Group,
        _ opened: Opened,
        _ database: Database
    ) -> (any Error)? {
        let commits = opened.commits.count
        var (hasBegun, failure) = (false, nil as (any Error)?)
        do {
            try database.inTransaction(.immediate) {
                hasBegun = true
                performAll(from: first, &group, opened, database)
                return group.isBroken ? .rollback : .commit
            }
        } catch {
            failure = error
        }
        guard hasBegun else { return failure }
        settle(&group, failure, isCommitted: opened.commits.count > commits)
        return nil
    }

    /// Performs writes until none waits, the group is full, or its time has passed.
    private func performAll(
        from first: PendingWrite,
        _ group: inout Group,
        _ opened: Opened,
        _ database: Database
    ) {
        let end = Self.milliseconds + limits.groupTime
        perform(first, &group, database)
        guard !first.isAlone else { return }
        while !group.isBroken, group.count < limits.group, Self.milliseconds < end {
            // Its own connection creates a schema, which would wait for this transaction.
            let write = writes.next {
                !$0.isAlone && opened.schemas.contains($0.schema.name)
            }
            guard let write else { return }
            perform(write, &group, database)
        }
    }

    /// Performs a write; an error undoes its changes only.
    private func perform(_ write: PendingWrite, _ group: inout Group, _ database: Database) {
        // The transaction is the first write's savepoint.
        let hasSavepoint = !group.performed.isEmpty
        do {
            if hasSavepoint { try Self.run("SAVEPOINT plugboard", database) }
            try write.perform(in: database)
            guard database.isInsideTransaction else {
                throw DatabaseError(
                    resultCode: .SQLITE_ABORT,
                    message: "a write ended its transaction, which it shares with other writes"
                )
            }
            if hasSavepoint { try Self.run("RELEASE SAVEPOINT plugboard", database) }
            group.performed.append(write)
        } catch {
            group.fail(write, meaning(of: error))
            group.isBroken = !hasSavepoint || !Self.undo(database)
        }
    }

    /// Undoes the changes since the savepoint; returns false if the transaction has ended.
    private static func undo(_ database: Database) -> Bool {
        guard database.isInsideTransaction else { return false }
        do {
            try run("ROLLBACK TO SAVEPOINT plugboard", database)
            try run("RELEASE SAVEPOINT plugboard", database)
            return true
        } catch {
            return false
        }
    }

    /// Decides what became of the writes that succeeded.
    private func settle(_ group: inout Group, _ failure: (any Error)?, isCommitted: Bool) {
        if isCommitted || failure == nil && !group.isBroken {
            for write in group.performed { write.complete() }
            return
        }
        let performed = group.performed
        group.performed = []
        if group.isBroken || performed.count > 1 && Self.isConstraint(failure) {
            // One write has undone the others. A deferred constraint doesn't tell whose it is.
            for write in performed { write.isAlone = true }
            writes.putBack(performed)
        } else if let failure {
            for write in performed { group.fail(write, meaning(of: failure)) }
        }
    }

    private static func isConstraint(_ error: (any Error)?) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
    }

    private static func run(_ sql: String, _ database: Database) throws {
        try database.cachedStatement(sql: sql).execute()
    }

    private static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
