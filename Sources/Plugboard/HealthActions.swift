import HTTPServer
import JSONCodec
import Locking
import Logging
public import Plug
public import PlugHTTP

/// How a server fares: `{"status":"ok"}`.
public struct Health: Codable, Sendable, Equatable {
    /// `ok`.
    public var status: String

    /// Health of that status.
    public init(status: String = "ok") { self.status = status }
}

/// Tells that the process lives.
///
/// Every server answers it, at `GET /healthz`. What is plugged to it takes the place of the server's
/// own answer, which is always `ok`.
open class Liveness: Action<Void, Health>, GET {
    /// Served at `GET /healthz`.
    public static var path: String { "/healthz" }
}

/// Tells whether the server wants requests.
///
/// Every server answers it, at `GET /readyz`: with 503 before its ``Server/preparation`` is done,
/// while it drains, and while one of its ``Server/readiness`` checks fails. What is plugged to it
/// takes the place of the server's own answer.
open class Readiness: Action<Void, Health>, GET {
    /// Served at `GET /readyz`.
    public static var path: String { "/readyz" }
}

/// Something that a server needs in order to serve: an action that throws while that is missing.
public struct ReadinessCheck: Sendable {
    /// The action's name: what `/readyz` says of a check that fails.
    public let name: String
    let perform: @Sendable () async throws -> Void

    /// A check that performs an action, with whatever is plugged to it then.
    public init<A: ActionProtocol>(_ action: A.Type) where A.Input == Void {
        name = action.name
        perform = { _ = try await PlugCell.of(action).perform(A.self, ()) }
    }
}

/// The readiness of one server.
final class ReadinessState: Sendable {
    /// How long a check may take.
    static let patience = Duration.seconds(2)

    private struct State {
        var isPreparing: Bool
        var isDraining = false
        /// The checks that are being performed.
        var running: Set<String> = []
        /// The checks that failed when they were last performed.
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

    /// Tells that all is prepared.
    ///
    /// Returns whether the server is to serve then: not if it drains by now.
    func begin() -> Bool {
        state.withLock { state in
            state.isPreparing = false
            return !state.isDraining
        }
    }

    func drain() {
        state.withLock { $0.isDraining = true }
    }

    /// The server's answer.
    ///
    /// - Throws: a 503 that names the checks that fail. Why they do is told to the log, when it
    ///   begins.
    func health() async throws -> Health {
        let (isPreparing, isDraining) = state.withLock { ($0.isPreparing, $0.isDraining) }
        guard !isDraining else { throw Problem.serviceUnavailable("the server is stopping") }
        guard !isPreparing else { throw Problem.serviceUnavailable("the server is starting") }
        let failing = await withTaskGroup { group in
            for check in checks {
                group.addTask { await self.succeeds(check) ? nil : check.name }
            }
            return await group.reduce(into: [String]()) { names, name in
                if let name { names.append(name) }
            }
        }
        guard failing.isEmpty else {
            let names = failing.sorted().joined(separator: ", ")
            throw Problem.serviceUnavailable("not ready: \(names)")
        }
        return Health()
    }

    /// Performs a check, unless it is still being performed since an earlier question: one that
    /// hangs must not gather tasks.
    private func succeeds(_ check: ReadinessCheck) async -> Bool {
        let isFree = state.withLock { $0.running.insert(check.name).inserted }
        guard isFree else { return state.withLock { !$0.failing.contains(check.name) } }
        let failure: (any Error)? = await withCheckedContinuation { continuation in
            let once = Once(continuation)
            let work = Task {
                var failure: (any Error)?
                do { try await check.perform() } catch { failure = error }
                _ = state.withLock { $0.running.remove(check.name) }
                once.resume(failure)
            }
            Task {
                try? await Task.sleep(for: Self.patience)
                work.cancel()
                once.resume(TooSlow())
            }
        }
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
        var description: String { "no answer within \(ReadinessState.patience)" }
    }

    /// A continuation that the first of two resumes.
    private final class Once: Sendable {
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

extension ExposedAction {
    /// What every server exposes for those who operate it.
    static func probes(_ readiness: ReadinessState) -> [ExposedAction] {
        [
            ExposedAction(Liveness.self, RequestSubject.Route.liveness) { Health() },
            ExposedAction(Readiness.self, RequestSubject.Route.readiness) {
                try await readiness.health()
            },
        ]
    }

    /// An action that the server performs itself, unless it is plugged.
    ///
    /// Its failures are no news for the log: a probe asks every few seconds.
    private convenience init<A: ActionProtocol>(
        _ action: A.Type,
        _ number: Int,
        otherwise perform: @escaping @Sendable () async throws -> A.Output
    ) where A.Input == Void, A.Output: Encodable {
        let cell = PlugCell.of(action)
        self.init(action, number: number) { _, _, _, _ in
            .later {
                do {
                    let output =
                        cell.isPlugged
                        ? try await cell.perform(A.self, ()) : try await perform()
                    return Response(
                        status: 200,
                        fields: Self.probeFields,
                        body: .bytes(try JSON.encode(output))
                    )
                } catch {
                    let fields = [(name: "Cache-Control", value: "no-store")]
                    return ProblemAnswer.make(Problem(performing: error), fields: fields)
                }
            }
        }
    }

    private static let probeFields = Response.fieldLines([
        ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
    ])
}
