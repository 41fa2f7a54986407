import Locking

/// A database's free connections and the queue of waiting callers.
///
/// A place is the right to use one connection, and the number of places is limited.
actor ConnectionPool {
    private let opener: ConnectionOpener
    private let configuration: PostgreSQLConfiguration
    private let loop: DatabaseLoop
    /// The numbers of connections and callers, for other threads.
    private nonisolated let published = Locked(PoolCounts())
    private var free: [FreeConnection] = [] {
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

    private struct FreeConnection {
        let connection: PostgreSQLConnection
        let since: ContinuousClock.Instant
    }

    /// The current numbers, on any thread.
    nonisolated var counts: PoolCounts { published.withLock { $0 } }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ opener: ConnectionOpener, _ configuration: PostgreSQLConfiguration) {
        self.opener = opener
        self.configuration = configuration
        loop = opener.loop
    }

    /// Returns a free or new connection, which the caller must return with `give`.
    func take() async throws(PostgreSQLError) -> PostgreSQLConnection {
        try await takePlace()
        if let connection = await takeFree() { return connection }
        do {
            return try await opener.open()
        } catch {
            givePlace()
            throw error
        }
    }

    /// Returns the connection that was used last, if it still works.
    ///
    /// A firewall may drop an idle connection without an end. After a second of idle time the pool
    /// checks it: the caller has sent nothing yet, and another connection can replace it.
    private func takeFree() async -> PostgreSQLConnection? {
        while let next = free.popLast() {
            guard await next.connection.isUsable() else { continue }
            guard next.since.duration(to: .now) >= configuration.idleTimeout else {
                return next.connection
            }
            if await next.connection.responds() { return next.connection }
            // The others were idle even longer.
            await closeFree()
        }
        return nil
    }

    /// Returns a connection to the pool.
    func give(_ connection: PostgreSQLConnection) async {
        if await connection.isUsable(), !isClosed {
            free.append(FreeConnection(connection: connection, since: .now))
        } else {
            await connection.close()
            // The idle connections of a lost database are lost, too.
            if await opener.loss != nil { await closeFree() }
        }
        givePlace()
    }

    /// Closes free connections now, and the others when they are returned.
    func close() async {
        isClosed = true
        await opener.close()
        await closeFree()
    }

    private func closeFree() async {
        let connections = free.map(\.connection)
        free = []
        for connection in connections { await connection.close() }
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
        var error = PostgreSQLError(.unavailable, "all connections to the database are in use")
        error.isPoolFull = true
        throw error
    }

    private func givePlace() {
        while !waiting.isEmpty {
            if loop.wake(waiting.removeFirst()) { return }
        }
        taken -= 1
    }
}
