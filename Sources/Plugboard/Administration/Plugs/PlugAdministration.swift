import AdministrationStore
import JSONCodec
import Locking
import Logging
import Plug
import PlugHTTP
import System

/// Changes the plugs of a server's actions while it runs.
///
/// A change is validated, stored and live, or it has no effect. Each process applies the stored
/// changes in the order of the audit, its own too, so all have the same plugs. The history and the
/// log have an entry for each change.
package final class PlugAdministration: Sendable {
    private let actions: [any ActionProtocol.Type]
    private let store: PlugStore
    private let logger: Logger
    /// The changes that plans make to themselves, for one reader.
    private let changes: AsyncStream<PlugChange>
    private let listener: Int
    /// The last row of the audit whose change is live; nil if the plans aren't loaded.
    private let applied = Locked<AdministrationHead?>(nil)
    /// Serialises the application of stored changes.
    private let refreshing = AsyncQueue<SingleKey>()

    /// Creates the administration of several actions' plugs.
    init(_ actions: [any ActionProtocol.Type], _ store: PlugStore, _ logger: Logger) {
        self.actions = actions
        self.store = store
        self.logger = logger
        let (changes, continuation) = AsyncStream.makeStream(of: PlugChange.self)
        self.changes = changes
        let names = Set(actions.map { $0.name })
        listener = PlugChange.listen { change in
            if names.contains(change.action) { continuation.yield(change) }
        }
        Outputs.encode(by: Self.encode)
        Outputs.findCallers(by: Self.holdsCaller)
    }

    private static func holdsCaller(_ input: Any.Type) -> Bool {
        guard let input = input as? any Decodable.Type else { return false }
        let book = ShapeFinder(isForSchema: false)
        let shape = book.shape(of: input)
        return !book.shapes.supplied(shape).isEmpty
    }

    private static func encode(_ value: any Encodable) throws -> [UInt8] {
        try JSON.encode(value)
    }

    deinit { PlugChange.remove(listener) }

    // MARK: Queries

    /// Returns the exposed action with a name.
    ///
    /// - Throws: a `404` for an unknown name.
    func named(_ name: String) throws(Problem) -> any ActionProtocol.Type {
        guard let action = actions.first(where: { $0.name == name }) else {
            throw .notFound("there is no action \(name)")
        }
        return action
    }

    func list() -> [PlugState] { actions.map(tagged) }

    func report(of action: any ActionProtocol.Type) async throws -> PlugReport {
        let state = tagged(action)
        let changes = try await store.changes(of: action.name)
        return PlugReport(plug: state, changes: changes, etag: state.etag)
    }

    /// Returns an action's state with the tag of its plan.
    private func tagged(_ action: any ActionProtocol.Type) -> PlugState {
        var state = state(of: action)
        state.etag = ExpectedPlan.tag(of: state.isLive ? state.plan : nil)
        return state
    }

    // MARK: Changes

    /// Sets an action's plan; nil returns to the plug in the code.
    ///
    /// - Throws: a `422` with all errors in the plan, or a `412` if the stored plan isn't the
    ///   expected one.
    func set(
        _ plan: PlugPlan?,
        for action: any ActionProtocol.Type,
        expecting expected: ExpectedPlan,
        by author: AdministrationAuthor
    ) async throws {
        do throws(InvalidPlan) {
            try PlugCell.liveBook(of: action).check(plan)
        } catch {
            var problem = error.problem
            for index in (problem.errors ?? []).indices {
                problem.errors?[index].pointer = "/plan" + error.faults[index].pointer
            }
            throw problem
        }
        let isStored = try await store.store(
            plan,
            of: action.name,
            by: author,
            if: expected.isMet
        )
        try await refresh()
        guard isStored else {
            let current = state(of: action).plan.flatMap(PlugStore.text) ?? "nothing"
            throw Problem.preconditionFailed(
                "the plan of \(action.name) is not the expected one: it is \(current)"
            )
        }
    }

    // MARK: Lifecycle

    /// Restores the stored plans at the start; opens no database if none was ever stored.
    ///
    /// Blocks the calling thread.
    func restore() throws { take(try store.plansNow(), isFirst: true) }

    /// Applies the stored changes of all processes since the last time.
    ///
    /// It completes even if its caller is cancelled.
    func refresh() async throws {
        try await Task.detached { [self] in
            try await refreshing.run(in: .only) {
                var isFirst = true
                while let head = applied.withLock(\.self) {
                    switch try await store.news(after: head) {
                    case .rows(let rows):
                        guard let last = rows.last else { return }
                        apply(rows)
                        applied.withLock { $0 = AdministrationHead(last) }
                    case .replaced:
                        isFirst = false
                        applied.withLock { $0 = nil }
                    }
                }
                take(try await store.plans(), isFirst: isFirst)
            }
        }.value
    }

    /// Makes all stored plans live.
    ///
    /// If they replace others, actions without a stored plan return to the plug in the code.
    private func take(_ stored: PlugStore.Plans, isFirst: Bool) {
        let plans = Dictionary(stored.plans.map { ($0.action, $0.plan) }) { first, _ in first }
        for action in actions {
            let plan = plans[action.name]
            guard plan != nil || !isFirst && state(of: action).isLive else { continue }
            setLive(plan, for: action)
        }
        applied.withLock { $0 = stored.head }
    }

    /// Makes the plans of audit rows live, the last one of each action.
    private func apply(_ rows: [AdministrationRow]) {
        let rows = rows.filter { AdministrationChange(rawValue: $0.change)?.subject == .plug }
        let last = Dictionary(rows.map { ($0.name, $0.sequence) }) { max($0, $1) }
        for row in rows where last[row.name] == row.sequence {
            guard let action = actions.first(where: { $0.name == row.name }) else { continue }
            let plan = row.after.flatMap(PlugStore.plan)
            // A guard's change is live before it is stored. Its statistics show the reason.
            if row.author == Self.guardian {
                let state = state(of: action)
                guard !state.isLive || state.plan != plan else { continue }
            }
            setLive(plan, for: action)
            let author = row.authorName.isEmpty ? row.author : row.authorName
            tell(row.name, plan, by: author, row.reason.isEmpty ? nil : row.reason)
        }
    }

    private func state(of action: any ActionProtocol.Type) -> PlugState {
        PlugCell.liveBook(of: action).state
    }

    private func setLive(_ plan: PlugPlan?, for action: any ActionProtocol.Type) {
        do throws(InvalidPlan) {
            try PlugCell.liveBook(of: action).setLive(plan)
        } catch {
            logger.warning("the stored plan of \(action.name) can't be plugged: \(error)")
        }
    }

    /// Stores the changes that plans make to themselves, until the task is cancelled.
    func watch() async {
        for await change in changes {
            let reason = "\(change.unplugged.plug): \(change.unplugged.reason)"
            do {
                let before = change.wasLive ? change.before : nil
                let isStored = try await store.store(
                    change.after,
                    of: change.action,
                    by: AdministrationAuthor(id: Self.guardian),
                    reason: reason,
                    // Another process may have set a plan since, which then takes precedence.
                    if: { $0 == before }
                )
                try await refresh()
                guard isStored else { continue }
            } catch {
                logger.error("plug \(change.action): the change isn't stored: \(error)")
            }
            tell(change.action, change.after, by: Self.guardian, reason)
        }
    }

    private static let guardian = "guard"

    private func tell(
        _ action: String,
        _ plan: PlugPlan?,
        by who: String,
        _ reason: String? = nil
    ) {
        let text = plan.flatMap(PlugStore.text) ?? "the plug in the code"
        logger.notice(
            "plug \(action): \(text), by \(who)\(reason.map { ", because of \($0)" } ?? "")"
        )
    }
}
