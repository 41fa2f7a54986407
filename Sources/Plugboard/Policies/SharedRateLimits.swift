import Digests
import HTTPSyntax
import JSONCodec
import Locking
import Logging
import PlugHTTP
import PostgreSQL

/// The counts of rate limits in a PostgreSQL database, which several servers share.
///
/// One statement counts a call. Times are the database's, because servers' clocks may differ. The
/// table has no log for a crash (UNLOGGED): after one, all quotas are full again.
final class SharedRateLimits: Sendable {
    /// A limit, and the party whose calls it counts.
    struct Count {
        /// The limit's name, which all servers use.
        let name: String
        let limit: RateLimit
        let key: RateLimiter.Key
    }

    private struct State {
        /// When each exhausted window ends, in nanoseconds on `clock`.
        ///
        /// Calls within it are rejected without a statement.
        var exhausted: [[UInt8]: Int] = [:]
        /// The end of the pause after a failure.
        var resumesAt = Int.min
        var isLost = false
        var calls = 0
        var isSweeping = false
    }

    private let client: PostgreSQLClient
    private let tables = SharedRateLimits.schema()
    private let maximumCount: Int
    private let logger: Logger
    private let clock: @Sendable () -> Int
    private let state = Locked(State())

    /// The pause after a failure, in nanoseconds, in which no call waits for the database.
    private static let pause = 1_000_000_000
    /// The number of calls between removals of expired windows.
    private static let sweepInterval = 512
    /// The limit on expired windows per removal.
    private static let maximumRemoval = 4096

    /// Creates the counts without connecting, for about `maximumCount` windows.
    init(
        _ client: PostgreSQLClient,
        atMost maximumCount: Int = 262_144,
        logger: Logger,
        clock: @escaping @Sendable () -> Int = RequestSubject.now
    ) {
        self.client = client
        self.maximumCount = maximumCount
        self.logger = logger
        self.clock = clock
    }

    /// The settings of a client for calls that wait at most about `patience` for each step.
    static func configuration(patience: Duration) -> PostgreSQLConfiguration {
        var configuration = PostgreSQLConfiguration()
        configuration.connectTimeout = patience * 2
        configuration.placeTimeout = patience
        configuration.statementTimeout = patience
        configuration.networkTimeout = patience
        // The check of an idle connection waits, too.
        configuration.silenceTimeout = patience
        return configuration
    }

    /// The tables.
    static func schema() -> PostgreSQLSchema {
        PostgreSQLSchema(
            "plugboard_rate_limit_schema",
            [
                // Free space in each page lets PostgreSQL update a count in place.
                """
                CREATE UNLOGGED TABLE plugboard_rate_limit (
                    key bytea PRIMARY KEY,
                    quota bigint NOT NULL,
                    used bigint NOT NULL,
                    ends timestamptz NOT NULL
                ) WITH (fillfactor = 50)
                """,
                "CREATE INDEX plugboard_rate_limit_ends ON plugboard_rate_limit (ends)",
            ]
        )
    }

    /// Counts a call against each limit and returns its standings in order.
    ///
    /// Returns nil if the database is unavailable. If a window is known to be exhausted, nothing is
    /// counted, and the standings of the others are nil.
    func take(_ counts: [Count]) async -> [RateLimiter.Standing?]? {
        let digests = counts.map(\.digest)
        if let standings = exhausted(counts, digests) { return standings }
        guard state.withLock({ $0.resumesAt <= clock() }) else { return nil }
        do {
            // In a task of its own: a client that leaves must not cancel the statement, which would
            // cost its connection and leave the call uncounted.
            let standings = try await Task { try await count(counts, digests) }.value
            note(standings, digests)
            return standings.map { $0.standing }
        } catch let error as PostgreSQLError where error.isPoolFull {
            return nil
        } catch {
            noteLoss(error)
            return nil
        }
    }

    /// Returns the standings if a window is known to be exhausted; else nil.
    func exhausted(_ counts: [Count]) -> [RateLimiter.Standing?]? {
        exhausted(counts, counts.map(\.digest))
    }

    private func exhausted(
        _ counts: [Count],
        _ digests: [[UInt8]]
    ) -> [RateLimiter.Standing?]? {
        let now = clock()
        let ends = state.withLock { state in digests.map { state.exhausted[$0] } }
        let standings = ends.map { end -> RateLimiter.Standing? in
            guard let end, end > now else { return nil }
            let reset = max(1, (end - now + 999_999_999) / 1_000_000_000)
            return RateLimiter.Standing(isWithin: false, remaining: 0, reset: reset)
        }
        return standings.contains { $0 != nil } ? standings : nil
    }

    // MARK: The statement

    private struct Counted {
        let standing: RateLimiter.Standing
        let seconds: Double
    }

    private func count(_ counts: [Count], _ digests: [[UInt8]]) async throws -> [Counted] {
        var values: SQLStatement = ""
        for (index, (count, digest)) in zip(counts, digests).enumerated() {
            let separator: SQLStatement = index == 0 ? "" : ", "
            values = """
                \(values)\(separator)(\(digest), \(count.limit.quota), 1, \
                statement_timestamp() + make_interval(secs => \(count.limit.seconds)::float8))
                """
        }
        let statement: SQLStatement = """
            INSERT INTO plugboard_rate_limit AS stored (key, quota, used, ends) VALUES \(values)
            ON CONFLICT (key) DO UPDATE SET
                quota = excluded.quota,
                used = CASE WHEN stored.ends <= statement_timestamp() THEN 1
                    ELSE least(stored.used, excluded.quota) + 1 END,
                ends = CASE WHEN stored.ends <= statement_timestamp() THEN excluded.ends
                    ELSE stored.ends END
            RETURNING key, used,
                extract(epoch FROM stored.ends - statement_timestamp())::float8 AS seconds
            """
        let rows = try await tables.write(client) { try await client.run(statement) }
        var found: [[UInt8]: Counted] = [:]
        for row in rows {
            let (key, used): ([UInt8], Int) = (try row.get("key"), try row.get("used"))
            guard let index = digests.firstIndex(of: key) else { continue }
            let quota = counts[index].limit.quota
            let seconds: Double = try row.get("seconds")
            let standing = RateLimiter.Standing(
                isWithin: used <= quota,
                remaining: max(0, quota - used),
                reset: max(1, Int(seconds.rounded(.up)))
            )
            found[key] = Counted(standing: standing, seconds: seconds)
        }
        let result = digests.compactMap { found[$0] }
        guard result.count == digests.count else { throw LostRow() }
        return result
    }

    /// A statement that didn't return a row for each limit.
    private struct LostRow: Error {}

    // MARK: State

    private func note(_ counted: [Counted], _ digests: [[UInt8]]) {
        let now = clock()
        let (wasLost, sweeps) = state.withLock { state in
            if state.exhausted.count > maximumCount { state.exhausted = [:] }
            for (digest, counted) in zip(digests, counted) {
                let isOver = !counted.standing.isWithin || counted.standing.remaining == 0
                state.exhausted[digest] =
                    isOver ? now + Int(max(0, counted.seconds) * 1_000_000_000) : nil
            }
            state.calls += 1
            let sweeps = state.calls % Self.sweepInterval == 0 && !state.isSweeping
            if sweeps { state.isSweeping = true }
            defer { state.isLost = false }
            return (state.isLost, sweeps)
        }
        if wasLost { logger.notice("rate limits: the servers share their counts again") }
        guard sweeps else { return }
        Task { [self] in
            try? await sweep()
            state.withLock { $0.isSweeping = false }
        }
    }

    private func noteLoss(_ error: any Error) {
        let isNew = state.withLock { state in
            defer { (state.isLost, state.resumesAt) = (true, clock() + Self.pause) }
            return !state.isLost
        }
        guard isNew else { return }
        logger.warning(
            """
            rate limits: each server counts alone until the database of --database responds: \
            \(error)
            """
        )
    }

    /// Removes expired windows, and beyond the limit those that end first.
    ///
    /// Rows that another statement has locked stay.
    func sweep() async throws {
        try await client.run(
            """
            DELETE FROM plugboard_rate_limit WHERE key IN (
                SELECT key FROM plugboard_rate_limit WHERE ends <= statement_timestamp()
                ORDER BY ends LIMIT \(Self.maximumRemoval) FOR UPDATE SKIP LOCKED)
            """
        )
        try await client.run(
            """
            DELETE FROM plugboard_rate_limit WHERE key IN (
                SELECT key FROM plugboard_rate_limit ORDER BY ends
                LIMIT greatest(0, (SELECT count(*) FROM plugboard_rate_limit) - \(maximumCount))
                FOR UPDATE SKIP LOCKED)
            """
        )
    }
}

extension SharedRateLimits.Count {
    /// The row's key: a digest, so that the database has no caller's name and no address.
    fileprivate var digest: [UInt8] {
        var bytes = Array(name.utf8) + [0]
        switch key {
        case .caller(let caller): bytes += [1] + caller.text.utf8
        case .address(let address):
            bytes += [2]
            for word in [address.high, address.low] {
                withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
            }
        case .nobody: bytes += [3]
        }
        return bytes.withUnsafeBufferPointer(Digest.sha256)
    }
}
