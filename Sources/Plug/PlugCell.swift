import Locking

/// The place in which one action's wiring is kept, for the whole run of the process.
///
/// A caller that calls one action often (a server's route) keeps the cell and saves the look-up by
/// type.
package final class PlugCell: Sendable {
    package let action: any ActionProtocol.Type
    /// The action's type, as it is looked up.
    let key: ObjectIdentifier
    /// The action's name, worked out once.
    package let name: String
    private let wiring = Locked<(any AnyObject & Sendable)?>(nil)
    /// What there is beside a plain plug: names, a plan.
    private let book = Locked<(any AnyPlugBook & PlugBooking)?>(nil)

    private init(_ action: any ActionProtocol.Type) {
        self.action = action
        key = ObjectIdentifier(action)
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
        // The old wiring is released outside of the locks: what it captures may have a deinit that
        // plugs.
        let (book, old) = book.withLock { book in (book, book == nil ? exchange(new) : nil) }
        withExtendedLifetime(old) {}
        book?.plug(erased: new)
    }

    /// Puts a wiring where calls find it, and gives what was there.
    private func exchange(_ new: (any AnyObject & Sendable)?) -> (any AnyObject & Sendable)? {
        wiring.withLock { wiring in
            let old = wiring
            wiring = new
            return old
        }
    }

    /// The book of the cell's action, which is made when it is first asked for.
    ///
    /// - Precondition: `A` is the cell's action or a superclass of it.
    func book<A: ActionProtocol>(_: A.Type) -> PlugBook<A.Input, A.Output> {
        typealias Book = PlugBook<A.Input, A.Output>
        let book = book.withLock { book in
            if let book { return book }
            let plugged = wiring.withLock { $0 }.map {
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
        return wiring.withLock { $0 }
    }
}

extension PlugCell {
    /// The book that what is plugged here and now goes into: everybody's, or within
    /// `Actions.withPlugs` its task's.
    static func book<A: ActionProtocol>(_ action: A.Type) -> PlugBook<A.Input, A.Output> {
        if let collector = PlugOverrides.collector { return collector.book(of: action) }
        return of(action).book(action)
    }

    /// The book of what calls get here and now.
    package static func liveBook(of action: any ActionProtocol.Type) -> any AnyPlugBook {
        func book<A: ActionProtocol>(_ action: A.Type) -> any AnyPlugBook {
            if let book = PlugOverrides.current?.books[ObjectIdentifier(action)] { return book }
            return of(action).book(action)
        }
        return book(action)
    }

    private static let cells = CellTable()

    /// The cell of an action: the same one for the same type, always.
    package static func of(_ action: any ActionProtocol.Type) -> PlugCell {
        // Made outside of the table's lock, because `name` is the action's own code.
        cells.cell(ObjectIdentifier(action))?.takeUnretainedValue() ?? cells.add(PlugCell(action))
    }

    /// What an action is wired to now, for one call.
    static func implementation<A: ActionProtocol>(
        of action: A.Type
    ) throws(NotPlugged) -> Action<A.Input, A.Output> {
        let cell = cells.cell(ObjectIdentifier(action))
        guard let wiring = cell?._withUnsafeGuaranteedRef({ $0.currentWiring }) else {
            return try of(action).implementation(of: action)
        }
        return unsafeDowncast(wiring, to: Wiring<A.Input, A.Output>.self).implementation()
    }
}
