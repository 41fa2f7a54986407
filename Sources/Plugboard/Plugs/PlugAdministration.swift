import JSONCodec
import Logging
import Plug
import PlugHTTP

/// The changing of what a server's actions are wired to, while it runs.
///
/// A change is checked, kept and in force, or none of these. Whoever changes a plug has a row and a
/// line in the log.
package final class PlugAdministration: Sendable {
    private let actions: [any ActionProtocol.Type]
    private let store: PlugStore
    private let logger: Logger
    /// What plans change by themselves, for one reader.
    private let changes: AsyncStream<PlugChange>
    private let listener: Int

    /// The plugs of those actions.
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
        let book = ShapeBook(isForSchema: false)
        let shape = book.shape(of: input)
        return !book.shapes.supplied(shape).isEmpty
    }

    private static func encode(_ value: any Encodable) throws -> [UInt8] {
        try JSON.encode(value)
    }

    deinit { PlugChange.remove(listener) }

    // MARK: Looking

    /// The exposed action of a name.
    ///
    /// - Throws: a `404` where there is none.
    func named(_ name: String) throws(Problem) -> any ActionProtocol.Type {
        guard let action = actions.first(where: { $0.name == name }) else {
            throw .notFound("there is no action \(name)")
        }
        return action
    }

    func list() -> [PlugState] { actions.map { PlugCell.liveBook(of: $0).state } }

    func report(of action: any ActionProtocol.Type) async throws -> PlugReport {
        let state = PlugCell.liveBook(of: action).state
        return PlugReport(plug: state, changes: try await store.changes(of: action.name))
    }

    // MARK: Changing

    /// Has calls of an action go through a plan; nil for what the code says.
    ///
    /// - Throws: a `422` with all that is wrong with the plan.
    func set(_ plan: PlugPlan?, for action: any ActionProtocol.Type) async throws {
        let book = PlugCell.liveBook(of: action)
        let before = book.state.plan
        let caller = Caller.current?.id ?? "nobody"
        do {
            // Kept and set in one transaction: of two changes at once, the one that is kept last is
            // also the one that was set last.
            try await store.keep(plan, of: action.name, before: before, by: caller) {
                try book.setLive(plan)
            }
        } catch let error as InvalidPlan {
            var problem = error.problem
            for index in (problem.errors ?? []).indices {
                problem.errors?[index].pointer = "/plan" + error.faults[index].pointer
            }
            throw problem
        }
        tell(action.name, plan, by: caller)
    }

    // MARK: The server's life

    /// Sets what was kept before; opens nothing where nothing was.
    func restore() throws {
        for (name, plan) in try store.plans() {
            guard let action = actions.first(where: { $0.name == name }) else { continue }
            do throws(InvalidPlan) {
                try PlugCell.liveBook(of: action).setLive(plan)
            } catch {
                logger.warning("what \(name) was plugged to can't be plugged again: \(error)")
            }
        }
    }

    /// Keeps what plans change by themselves, until the task is cancelled.
    func watch() async {
        for await change in changes {
            let reason = "\(change.unplugged.plug): \(change.unplugged.reason)"
            do {
                try await store.keep(
                    change.after,
                    of: change.action,
                    before: change.before,
                    by: Self.guardian,
                    reason: reason
                ) {}
            } catch {
                logger.error("plug \(change.action): the change isn't kept: \(error)")
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
        let text = plan.flatMap(PlugStore.text) ?? "what the code says"
        logger.notice(
            "plug \(action): \(text), by \(who)\(reason.map { ", because of \($0)" } ?? "")"
        )
    }
}
