import Locking
import Synchronization

/// The wirings of `Actions.withPlugs`: immutable, and seen by one task and its children.
final class PlugOverrides: Sendable {
    @TaskLocal static var ofTask: PlugOverrides?
    /// Whether there ever were any: most servers never make one, and a look at the task's own
    /// values takes seven times as long as a look here.
    ///
    /// A task that sees overrides has made them itself, or was made by one that did.
    private static let exist = Atomic(false)
    /// Set while the first closure of `Actions.withPlugs` runs: what it plugs goes here and not to
    /// everybody.
    @TaskLocal static var collector: PlugCollector?

    /// An action's wiring by its type; nil where it was unplugged.
    let wirings: [ObjectIdentifier: (any AnyObject & Sendable)?]

    private init(_ wirings: [ObjectIdentifier: (any AnyObject & Sendable)?]) {
        self.wirings = wirings
        Self.exist.store(true, ordering: .relaxed)
    }

    /// The overrides that the current task sees.
    static var current: PlugOverrides? {
        exist.load(ordering: .relaxed) ? ofTask : nil
    }

    /// The current overrides with those that a closure plugs on top.
    static func collecting(_ plugs: () throws -> Void) rethrows -> PlugOverrides {
        let collector = PlugCollector(current?.wirings ?? [:])
        try $collector.withValue(collector, operation: plugs)
        return PlugOverrides(collector.wirings)
    }
}

/// Gathers the wirings of one `Actions.withPlugs`.
final class PlugCollector: Sendable {
    private let collected: Locked<[ObjectIdentifier: (any AnyObject & Sendable)?]>

    init(_ wirings: [ObjectIdentifier: (any AnyObject & Sendable)?]) {
        collected = Locked(wirings)
    }

    var wirings: [ObjectIdentifier: (any AnyObject & Sendable)?] { collected.withLock { $0 } }

    func collect(_ wiring: (any AnyObject & Sendable)?, for action: any ActionProtocol.Type) {
        collected.withLock { $0[ObjectIdentifier(action)] = .some(wiring) }
    }
}
