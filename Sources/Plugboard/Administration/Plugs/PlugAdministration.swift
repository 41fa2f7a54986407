import JSONCodec
import Logging
import Plug
import PlugHTTP
import Storage

/// Changes the plugs of a server's actions while it runs.
///
/// A change is validated, stored and live, or it has no effect. The history and the log have an
/// entry for each change.
package final class PlugAdministration: Sendable {
    private let actions: [any ActionProtocol.Type]
    private let store: PlugStore
    private let logger: Logger
    /// The changes that plans make to themselves, for one reader.
    private let changes: AsyncStream<PlugChange>
    private let listener: Int

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

    func list() -> [PlugState] { actions.map { PlugCell.liveBook(of: $0).state } }

    func report(of action: any ActionProtocol.Type) async throws -> PlugReport {
        let state = PlugCell.liveBook(of: action).state
        return PlugReport(plug: state, changes: try await store.changes(of: action.name))
    }

    // MARK: Changes

    /// Sets an action's plan; nil returns to the plug in the code.
    ///
    /// - Throws: a `422` with all errors in the plan.
    func set(
        _ plan: PlugPlan?,
        for action: any ActionProtocol.Type,
        by author: AdministrationAuthor
    ) async throws {
        let book = PlugCell.liveBook(of: action)
        do {
            // In one transaction, so that concurrent changes are stored in the order in which they
            // go live.
            try await store.keep(plan, of: action.name, by: author) {
                try book.setLive(plan)
            }
        } catch let error as InvalidPlan {
            var problem = error.problem
            for index in (problem.errors ?? []).indices {
                problem.errors?[index].pointer = "/plan" + error.faults[index].pointer
            }
            throw problem
        }
        tell(action.name, plan, by: author.id)
    }

    // MARK: Lifecycle

    /// Restores the stored plans at the start; opens no database if none was ever stored.
    func restore() throws {
        for (name, plan) in try store.plans() {
            guard let action = actions.first(where: { $0.name == name }) else { continue }
            do throws(InvalidPlan) {
                try PlugCell.liveBook(of: action).setLive(plan)
            } catch {
                logger.warning("the stored plan of \(name) can't be plugged: \(error)")
            }
        }
    }

    /// Stores the changes that plans make to themselves, until the task is cancelled.
    func watch() async {
        for await change in changes {
            let reason = "\(change.unplugged.plug): \(change.unplugged.reason)"
            do {
                try await store.keep(
                    change.after,
                    of: change.action,
                    by: AdministrationAuthor(id: Self.guardian),
                    reason: reason
                ) {}
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
