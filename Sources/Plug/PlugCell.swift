import Locking

/// The place in which one action's wiring is kept, for the whole run of the process.
///
/// A caller that calls one action often (a server's route) keeps the cell and saves the look-up by
/// type.
package final class PlugCell: Sendable {
    package let action: any ActionProtocol.Type
    /// The action's name, worked out once.
    package let name: String
    private let wiring = Locked<(any AnyObject & Sendable)?>(nil)

    private init(_ action: any ActionProtocol.Type) {
        self.action = action
        name = action.name
    }

    /// Whether a call would find an implementation, here and now.
    package var isPlugged: Bool { currentWiring != nil }

    /// Performs the action with what it is wired to now.
    ///
    /// - Precondition: `A` is the cell's action or a superclass of it.
    package nonisolated(nonsending) func perform<A: ActionProtocol>(
        _: A.Type,
        _ input: A.Input
    ) async throws -> A.Output {
        try await implementation(of: A.self).perform(input)
    }

    /// What the action is wired to now, for one call.
    ///
    /// - Precondition: `A` is the cell's action or a superclass of it.
    package func implementation<A: ActionProtocol>(
        of _: A.Type
    ) throws(NotPlugged) -> Action<A.Input, A.Output> {
        guard let wiring = currentWiring else { throw NotPlugged(action: name) }
        // A class and its subclasses have one input and one output, and only wirings of these get
        // here. A checked cast looks the generic class up each time: 350 instructions.
        return unsafeDowncast(wiring, to: Wiring<A.Input, A.Output>.self).implementation()
    }

    func wire(to new: (any AnyObject & Sendable)?) {
        // The old wiring is released outside of the lock: what it captures may have a deinit that
        // plugs.
        let old = wiring.withLock { wiring in
            let old = wiring
            wiring = new
            return old
        }
        withExtendedLifetime(old) {}
    }

    private var currentWiring: (any AnyObject & Sendable)? {
        if let overrides = PlugOverrides.current,
            let override = overrides.wirings[ObjectIdentifier(action)]
        {
            return override
        }
        return wiring.withLock { $0 }
    }
}

extension PlugCell {
    private static let cells = Locked<[ObjectIdentifier: PlugCell]>([:])

    /// The cell of an action: the same one for the same type, always.
    package static func of(_ action: any ActionProtocol.Type) -> PlugCell {
        let key = ObjectIdentifier(action)
        if let cell = cells.withLock({ $0[key] }) { return cell }
        // Made outside of the lock, because `name` is the action's own code.
        let new = PlugCell(action)
        return cells.withLock { cells in
            if let cell = cells[key] { return cell }
            cells[key] = new
            return new
        }
    }
}
