import Locking
import Logging
public import Plug

/// A dependency that a server needs to serve requests.
///
/// The check performs an action, which throws while the dependency is missing.
public struct ReadinessCheck: Sendable {
    /// The action's name, which `/readyz` reports if the check fails.
    public let name: String
    /// The requests that need the dependency.
    public let use: ReadinessUse
    let perform: @Sendable () async throws -> Void

    /// Creates a check that performs an action through its current plug.
    ///
    /// If only writes need the dependency, `use` is `.write`: `/readyz` then stays 200.
    public init<A: ActionProtocol>(
        _ action: A.Type,
        for use: ReadinessUse = .read
    ) where A.Input == Void {
        name = action.name
        self.use = use
        perform = { _ = try await PlugCell.of(action).perform(A.self, ()) }
    }

    /// Creates one of the server's own checks.
    init(
        _ name: String,
        for use: ReadinessUse = .read,
        _ perform: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.use = use
        self.perform = perform
    }
}

/// The readiness of one server.
final class ReadinessState: Sendable {
    /// The timeout of a check.
    static let patience = Duration.seconds(2)

    private struct State {
        var isPreparing: Bool
        /// When the server began to stop; nil before.
        ///
        /// It still accepts connections for the delay.
        var stoppedAt: ContinuousClock.Instant?
        /// The runs that requests await, by the checks' names.
        var runs: [String: Task<Bool, Never>] = [:]
        /// The names of the checks whose work continues.
        var running: Set<String> = []
        /// The names of the checks that failed in their last run.
        var failing: Set<String> = []
    }

    private let checks: [ReadinessCheck]
    private let logger: Logger
    private let state: Locked<State>

    init(_ checks: [ReadinessCheck], isPreparing: Bool = false, logger: Logger) {
        self.checks = checks
        self.logger = logger
        state = Locked(State(isPreparing: isPreparing))
    }

    /// Marks the preparation as complete.
    ///
    /// Returns whether the server is to serve: false if it already stops.
    func begin() -> Bool {
        state.withLock { state in
            state.isPreparing = false
            return state.stoppedAt == nil
        }
    }

    /// Marks the server as stopping.
    ///
    /// Returns the time since it was marked; nil the first time.
    @discardableResult
    func markStopping() -> Duration? {
        state.withLock { state in
            guard let stoppedAt = state.stoppedAt else {
                state.stoppedAt = .now
                return nil
            }
            return stoppedAt.duration(to: .now)
        }
    }

    /// Runs all checks.
    ///
    /// - Throws: a 503 with the names of the failing checks, if `use` needs one of them. The log has
    ///   each error once per outage.
    func health(for use: ReadinessUse) async throws -> Health {
        let (isPreparing, isStopping) = state.withLock { ($0.isPreparing, $0.stoppedAt != nil) }
        guard !isStopping else { throw Problem.serviceUnavailable("the server is stopping") }
        guard !isPreparing else { throw Problem.serviceUnavailable("the server is starting") }
        let failing = await outcomes().filter { !$0.isPassing }.map(\.check)
        let names = failing.map(\.name).sorted()
        guard failing.allSatisfy({ $0.use == .write && use == .read }) else {
            throw Problem.serviceUnavailable("not ready: \(names.joined(separator: ", "))")
        }
        return Health(unavailable: names.isEmpty ? nil : names)
    }

    /// Runs all checks, and returns their results by name.
    func results() async -> [ServerReport.Check] {
        await outcomes().map { check, isPassing in
            ServerReport.Check(name: check.name, use: check.use, isPassing: isPassing)
        }.sorted { $0.name < $1.name }
    }

    private func outcomes() async -> [(check: ReadinessCheck, isPassing: Bool)] {
        await withTaskGroup { group in
            for check in checks { group.addTask { (check, await self.succeeds(check)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Performs a check; concurrent requests share one run.
    private func succeeds(_ check: ReadinessCheck) async -> Bool {
        let run = state.withLock { state in
            if let run = state.runs[check.name] { return run }
            let run = Task { await self.run(check) }
            state.runs[check.name] = run
            return run
        }
        return await run.value
    }

    /// Runs a check, unless its previous work still continues.
    ///
    /// A check that hangs would otherwise add a task for each request.
    private func run(_ check: ReadinessCheck) async -> Bool {
        defer { state.withLock { $0.runs[check.name] = nil } }
        let isFree = state.withLock { $0.running.insert(check.name).inserted }
        guard isFree else { return state.withLock { !$0.failing.contains(check.name) } }
        let timer = Locked<Task<Void, any Error>?>(nil)
        let failure: (any Error)? = await withCheckedContinuation { continuation in
            let once = FirstResumption(continuation)
            let work = Task {
                var failure: (any Error)?
                do { try await check.perform() } catch { failure = error }
                _ = state.withLock { $0.running.remove(check.name) }
                once.resume(failure)
            }
            let limit = Task {
                try await Task.sleep(for: Self.patience)
                work.cancel()
                once.resume(TooSlow())
            }
            timer.withLock { $0 = limit }
        }
        // A sleeping task of each of many probes would take memory.
        timer.withLock { $0 }?.cancel()
        let isNews = state.withLock { state in
            if failure == nil { return state.failing.remove(check.name) != nil }
            return state.failing.insert(check.name).inserted
        }
        if isNews {
            if let failure {
                logger.warning("not ready: \(check.name): \(failure)")
            } else {
                logger.notice("ready again: \(check.name)")
            }
        }
        return failure == nil
    }

    private struct TooSlow: Error, CustomStringConvertible {
        var description: String { "no response within \(ReadinessState.patience)" }
    }

    /// A continuation that only the first of two calls resumes.
    private final class FirstResumption: Sendable {
        private let waiting: Locked<CheckedContinuation<(any Error)?, Never>?>

        init(_ continuation: CheckedContinuation<(any Error)?, Never>) {
            waiting = Locked(continuation)
        }

        func resume(_ failure: (any Error)?) {
            let continuation = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            continuation?.resume(returning: failure)
        }
    }
}
