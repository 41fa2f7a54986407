/// The connections of a database that are free, and who waits for one.
///
/// A place is one connection that somebody uses; there are so many places only. After a failure to
/// connect nobody tries again before the pause is over: until then everybody is told at once.
actor ConnectionPool {
    private let address: PostgreSQLAddress
    private let configuration: PostgreSQLConfiguration
    private let loop: DatabaseLoop
    private var free: [PostgreSQLConnection] = []
    private var taken = 0
    /// Who waits for a place, the first to come first.
    private var waiting: [UInt64] = []
    private var isClosed = false

    private struct Failure {
        var count = 0
        var until: ContinuousClock.Instant
        var error: PostgreSQLError
    }
    private var failure: Failure?

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

    /// A connection, free or new; it has to be given back.
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
            // Who gives up says nothing of the database; nor does who is told of another's failure.
            if error.kind != .cancelled, failure.map({ $0.until <= .now }) ?? true {
                noteFailure(error)
            }
            givePlace()
            throw error
        }
    }

    /// Takes a connection back.
    func give(_ connection: PostgreSQLConnection) async {
        if await connection.isUsable(), !isClosed {
            free.append(connection)
        } else {
            await connection.close()
        }
        givePlace()
    }

    /// There is a connection elsewhere: nobody has to wait for the pause's end.
    func forgetFailure() { failure = nil }

    /// Closes what is free, and what is given back from now on.
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
        // The place is handed over with the wake-up.
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
