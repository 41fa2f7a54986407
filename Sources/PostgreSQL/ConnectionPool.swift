import Locking

/// A database's free connections and the queue of waiting callers.
///
/// A place is the right to use one connection, and the number of places is limited. After a failure
/// to connect, calls fail with the same error until a pause is over.
actor ConnectionPool {
    private let address: PostgreSQLAddress
    private let configuration: PostgreSQLConfiguration
    private let loop: DatabaseLoop
    /// The numbers of connections and callers, for other threads.
    private nonisolated let published = Locked(PoolCounts())
    private var free: [PostgreSQLConnection] = [] {
        didSet { published.withLock { $0.idle = free.count } }
    }
    private var taken = 0 {
        didSet { published.withLock { $0.inUse = taken } }
    }
    /// The tickets of waiting callers, oldest first.
    private var waiting: [UInt64] = [] {
        didSet { published.withLock { $0.waiting = waiting.count } }
    }
    private var isClosed = false

    private struct Failure {
        var count = 0
        var until: ContinuousClock.Instant
        var error: PostgreSQLError
    }
    private var failure: Failure?

    /// The current numbers, on any thread.
    nonisolated var counts: PoolCounts { published.withLock { $0 } }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ address: PostgreSQLAddress,
        _ configuration: PostgreSQLConfiguration,
        loop: DatabaseLoop
    ) {
        self.address = address
        self.configuration = configuration
        self.loop = loop
    }

    /// Returns a free or new connection, which the caller must return with `give`.
    func take() async throws(PostgreSQLError) -> PostgreSQLConnection {
        try await takePlace()
        while let connection = free.popLast() {
            if await connection.isUsable() { return connection }
        }
        do throws(PostgreSQLError) {
            if let failure, failure.until > .now { throw failure.error }
            guard !isClosed else { throw PostgreSQLError(.unavailable, "the database is closed") }
            let connection = try await PostgreSQLConnection.connect(to: address, configuration)
            failure = nil
            return connection
        } catch {
            // Neither cancellation nor a repeated error is a new failure of the database.
            if error.kind != .cancelled, failure.map({ $0.until <= .now }) ?? true {
                noteFailure(error)
            }
            givePlace()
            throw error
        }
    }

    /// Returns a connection to the pool.
    func give(_ connection: PostgreSQLConnection) async {
        if await connection.isUsable(), !isClosed {
            free.append(connection)
        } else {
            await connection.close()
        }
        givePlace()
    }

    /// Ends the pause after a failure, because a connection was opened elsewhere.
    func forgetFailure() { failure = nil }

    /// Closes free connections now, and the others when they are returned.
    func close() async {
        isClosed = true
        let connections = free
        free = []
        for connection in connections { await connection.close() }
    }

    private func noteFailure(_ error: PostgreSQLError) {
        let count = (failure?.count ?? 0) + 1
        let until = ContinuousClock.now + configuration.pause(after: count)
        failure = Failure(count: count, until: until, error: error)
    }

    // MARK: Places

    private func takePlace() async throws(PostgreSQLError) {
        guard taken >= configuration.connections else {
            taken += 1
            return
        }
        let ticket = loop.makeTicket()
        waiting.append(ticket)
        let deadline = ContinuousClock.now + configuration.placeTimeout
        // The wake-up transfers the place.
        let event = await loop.wait(ticket, until: deadline)
        guard event != .woken else { return }
        waiting.removeAll { $0 == ticket }
        if event == .cancelled { throw PostgreSQLError(.cancelled, "cancelled") }
        throw PostgreSQLError(.unavailable, "all connections to the database are in use")
    }

    private func givePlace() {
        while !waiting.isEmpty {
            if loop.wake(waiting.removeFirst()) { return }
        }
        taken -= 1
    }
}
