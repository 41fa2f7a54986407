import Locking

/// The storage of one action's wiring, for the lifetime of the process.
///
/// A frequent caller, such as a server's route, stores the cell and saves the lookup by type.
package final class PlugCell: Sendable {
    /// The wiring, and the number of calls of `action(…)` so far.
    private typealias Kept = (wiring: (any AnyObject & Sendable)?, calls: UInt64)

    package let action: any ActionProtocol.Type
    /// The lookup key: the action's type.
    let key: ObjectIdentifier
    /// The action's name, computed once.
    package let name: String
    private let kept = Locked<Kept>((nil, 0))
    /// The action's names and plan; nil while it has a plain plug only.
    private let book = Locked<(any AnyActionPlugs)?>(nil)

    private init(_ action: any ActionProtocol.Type) {
        self.action = action
        key = ObjectIdentifier(action)
        name = action.name
    }

    /// Whether a call in the current task would find an implementation.
    package var isPlugged: Bool { currentWiring != nil }

    /// Performs the action with its current wiring.
    ///
    /// - Precondition: `A` is the cell's action or a superclass of it.
    package nonisolated(nonsending) func perform<A: ActionProtocol>(
        _: A.Type,
        _ input: A.Input
    ) async throws -> A.Output {
        try await implementation(of: A.self).perform(input)
    }

    /// Returns the implementation for one call from the current wiring.
    ///
    /// - Precondition: `A` is the cell's action or a superclass of it.
    package func implementation<A: ActionProtocol>(
        of _: A.Type
    ) throws(NotPlugged) -> Action<A.Input, A.Output> {
        guard let wiring = currentWiring else { throw NotPlugged(action: name) }
        // The cast is safe: a class and its subclasses have the same input and output, and only
        // their wirings are stored here. A checked cast looks up the generic class each time: 350
        // instructions.
        return unsafeDowncast(wiring, to: Wiring<A.Input, A.Output>.self).implementation()
    }

    func wire(to new: (any AnyObject & Sendable)?) {
        // The old wiring is released outside the locks: an object that it captures may plug in its
        // deinit.
        let (book, old) = book.withLock { book in (book, book == nil ? exchange(new) : nil) }
        withExtendedLifetime(old) {}
        book?.plug(erased: new)
    }

    /// Publishes a wiring to calls and returns the previous one.
    private func exchange(_ new: (any AnyObject & Sendable)?) -> (any AnyObject & Sendable)? {
        kept.withLock { kept in
            let old = kept.wiring
            kept.wiring = new
            return old
        }
    }

    /// Returns the book of the cell's action, and creates it on first use.
    ///
    /// - Precondition: `A` is the cell's action or a superclass of it.
    func book<A: ActionProtocol>(_: A.Type) -> ActionPlugs<A.Input, A.Output> {
        typealias Book = ActionPlugs<A.Input, A.Output>
        let book = book.withLock { book in
            if let book { return book }
            let plugged = kept.withLock { $0.wiring }.map {
                unsafeDowncast($0, to: Wiring<A.Input, A.Output>.self)
            }
            let new = Book(action, plugged: plugged) { [unowned self] wiring in
                exchange(wiring).map { unsafeDowncast($0, to: Wiring<A.Input, A.Output>.self) }
            }
            book = new
            return new
        }
        return unsafeDowncast(book, to: Book.self)
    }

    private var currentWiring: (any AnyObject & Sendable)? {
        if let overrides = PlugOverrides.current,
            let override = overrides.wirings[key]
        {
            return override
        }
        return kept.withLock { $0.wiring }
    }

    /// Counts a call, and returns its wiring and whether its depth is measured.
    private var nextWiring: (wiring: (any AnyObject & Sendable)?, isMeasured: Bool) {
        let (wiring, calls) = kept.withLock { kept in
            kept.calls &+= 1
            return kept
        }
        let isMeasured = CallDepth.isMeasured(calls)
        if let overrides = PlugOverrides.current, let override = overrides.wirings[key] {
            return (override, isMeasured)
        }
        return (wiring, isMeasured)
    }
}

extension PlugCell {
    /// Returns the book that plugs of the current task go into: the global one, or the task's own
    /// within `Actions.withPlugs`.
    static func book<A: ActionProtocol>(_ action: A.Type) -> ActionPlugs<A.Input, A.Output> {
        if let collector = PlugOverrides.collector { return collector.book(of: action) }
        return of(action).book(action)
    }

    /// Returns the book that calls of the current task use.
    package static func liveBook(of action: any ActionProtocol.Type) -> any AnyActionPlugs {
        func book<A: ActionProtocol>(_ action: A.Type) -> any AnyActionPlugs {
            if let book = PlugOverrides.current?.books[ObjectIdentifier(action)] { return book }
            return of(action).book(action)
        }
        return book(action)
    }

    private static let cells = CellTable()

    /// Returns the cell of an action, always the same one for a type.
    package static func of(_ action: any ActionProtocol.Type) -> PlugCell {
        // Created outside the table's lock, because `name` may run the application's code.
        cells.cell(ObjectIdentifier(action))?.takeUnretainedValue() ?? cells.add(PlugCell(action))
    }

    /// Returns the implementation for one call from the action's current wiring, and whether the
    /// call's depth is measured.
    static func nextCall<A: ActionProtocol>(
        of action: A.Type
    ) throws(NotPlugged) -> (implementation: Action<A.Input, A.Output>, isMeasured: Bool) {
        let known = cells.cell(ObjectIdentifier(action))
        let (wiring, isMeasured) =
            known?.takeUnretainedValue().nextWiring ?? of(action).nextWiring
        guard let wiring else { throw NotPlugged(action: of(action).name) }
        return (
            unsafeDowncast(wiring, to: Wiring<A.Input, A.Output>.self).implementation(),
            isMeasured
        )
    }
}
