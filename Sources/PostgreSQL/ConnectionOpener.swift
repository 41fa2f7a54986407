/// The opener of a database's connections, which knows whether the database is lost.
///
/// After a failure to connect the database is lost: each attempt fails at once with the same error.
/// In the background the opener tries again, about once a second, until it succeeds.
actor ConnectionOpener {
    private let address: PostgreSQLAddress
    private let configuration: PostgreSQLConfiguration
    nonisolated let loop: DatabaseLoop
    nonisolated let clock: DatabaseClock
    /// The place of the last successful host in the address.
    private var preferred = 0
    /// The last error while the database is lost; nil if it is available.
    private(set) var loss: PostgreSQLError?
    /// The tickets of callers that wait for the end of the loss.
    private var waiting: [UInt64] = []
    /// The running check, which concurrent callers share.
    private var check: Task<Bool, Never>?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ address: PostgreSQLAddress,
        _ configuration: PostgreSQLConfiguration,
        clock: DatabaseClock,
        loop: DatabaseLoop
    ) {
        self.address = address
        self.configuration = configuration
        self.clock = clock
        self.loop = loop
    }

    /// Opens a connection; fails at once while the database is lost.
    func open() async throws(PostgreSQLError) -> PostgreSQLConnection {
        guard !isClosed else { throw PostgreSQLError(.unavailable, "the database is closed") }
        if let loss { throw loss }
        do {
            return try await connect()
        } catch {
            if error.kind != .cancelled { beginLoss(error) }
            throw error
        }
    }

    /// Returns whether a new connection can be opened; concurrent callers share one attempt.
    func isReachable() async -> Bool {
        if loss != nil { return false }
        if let check { return await check.value }
        let check = Task { [self] in
            guard let connection = try? await open() else { return false }
            await connection.close()
            return true
        }
        self.check = check
        defer { self.check = nil }
        return await check.value
    }

    /// Waits until the database isn't lost, or the task is cancelled.
    func waitUntilAvailable() async {
        while loss != nil, !Task.isCancelled {
            let ticket = loop.makeTicket()
            waiting.append(ticket)
            _ = await loop.wait(ticket, until: .now + .seconds(3600))
            waiting.removeAll { $0 == ticket }
        }
    }

    /// Ends the attempts.
    func close() {
        isClosed = true
        endLoss()
    }

    // MARK: The loss

    private func beginLoss(_ error: PostgreSQLError) {
        guard loss == nil, !isClosed else { return }
        loss = error
        Task { [weak self, loop, configuration] in
            var failures = 0
            repeat {
                failures += 1
                let pause = configuration.pause(after: failures)
                _ = await loop.wait(loop.makeTicket(), until: .now + pause)
                // A released client ends the attempts.
            } while await self?.isStillLost(isShort: failures % 2 == 1) == true
        }
    }

    /// The timeout of every other attempt while the database is lost.
    ///
    /// The kernel repeats a lost SYN after 1 and 3 seconds; a new attempt sends one earlier. The
    /// other attempts have the full timeout, for a slow database.
    private static let shortTimeout = Duration.seconds(1.5)

    /// Tries to connect once.
    private func isStillLost(isShort: Bool) async -> Bool {
        guard loss != nil else { return false }
        do {
            let connection = try await connect(limit: isShort ? Self.shortTimeout : nil)
            await connection.close()
            endLoss()
        } catch {
            if loss != nil { loss = error }
        }
        return loss != nil
    }

    private func endLoss() {
        loss = nil
        for ticket in waiting { _ = loop.wake(ticket) }
        waiting = []
    }

    // MARK: Hosts

    /// Tries the hosts in turn, beginning with the one of the last success.
    ///
    /// libpq would try them itself, but its attempts without blocking have no timeout for a host.
    private func connect(
        limit: Duration? = nil
    ) async throws(PostgreSQLError) -> PostgreSQLConnection {
        let attempts = address.attempts
        var timeout = address.connectTimeout ?? configuration.connectTimeout / attempts.count
        if let limit { timeout = min(timeout, limit) }
        var errors: [PostgreSQLError] = []
        for offset in attempts.indices {
            let place = (preferred + offset) % attempts.count
            do throws(PostgreSQLError) {
                let connection = try await PostgreSQLConnection.connect(
                    to: address,
                    by: attempts[place],
                    configuration,
                    timeout: timeout,
                    opener: self
                )
                preferred = place
                return connection
            } catch {
                if error.kind == .cancelled { throw error }
                errors.append(error)
            }
        }
        throw PostgreSQLError(ofHosts: errors)
    }
}

extension PostgreSQLError {
    /// Creates the error of failed attempts to connect to several hosts; one that denies the login
    /// decides.
    init(ofHosts errors: [PostgreSQLError]) {
        let first = errors.first { $0.kind == .denied } ?? errors.first
        var messages: [String] = []
        for error in errors where !messages.contains(error.message) {
            messages.append(error.message)
        }
        self.init(
            first?.kind ?? .unavailable,
            messages.joined(separator: "; "),
            state: first?.state
        )
    }
}
