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

    /// The books of those among them that have names or a plan.
    let books: [ObjectIdentifier: any PlugBooking & AnyPlugBook]

    private init(_ collector: PlugCollector) {
        (wirings, books) = collector.result
        Self.exist.store(true, ordering: .relaxed)
    }

    /// The overrides that the current task sees.
    static var current: PlugOverrides? {
        exist.load(ordering: .relaxed) ? ofTask : nil
    }

    /// The current overrides with those that a closure plugs on top.
    static func collecting(_ plugs: () throws -> Void) rethrows -> PlugOverrides {
        let collector = PlugCollector(current)
        try $collector.withValue(collector, operation: plugs)
        return PlugOverrides(collector)
    }
}

/// Gathers the wirings of one `Actions.withPlugs`.
final class PlugCollector: Sendable {
    typealias Wirings = [ObjectIdentifier: (any AnyObject & Sendable)?]
    typealias Books = [ObjectIdentifier: any PlugBooking & AnyPlugBook]

    private let outer: PlugOverrides?
    private let collected: Locked<(wirings: Wirings, books: Books)>

    /// A collector of what goes on top of a task's overrides.
    init(_ outer: PlugOverrides?) {
        self.outer = outer
        collected = Locked((outer?.wirings ?? [:], [:]))
    }

    /// The overrides: an action that has a book is wired to whatever that says.
    var result: (Wirings, Books) {
        var (wirings, books) = collected.withLock { $0 }
        for (action, book) in books { wirings[action] = .some(book.indirect) }
        books.merge(outer?.books ?? [:]) { new, _ in new }
        return (wirings, books)
    }

    func collect(_ wiring: (any AnyObject & Sendable)?, for action: any ActionProtocol.Type) {
        let key = ObjectIdentifier(action)
        let book = collected.withLock { collected in
            if let book = collected.books[key] { return Optional(book) }
            collected.wirings[key] = .some(wiring)
            return nil
        }
        book?.plug(erased: wiring)
    }

    /// The book of an action as the task sees it, to be changed for the task alone.
    func book<A: ActionProtocol>(of action: A.Type) -> PlugBook<A.Input, A.Output> {
        typealias Book = PlugBook<A.Input, A.Output>
        let key = ObjectIdentifier(action)
        if let book = collected.withLock({ $0.books[key] }) {
            return unsafeDowncast(book, to: Book.self)
        }
        let (wiring, isCollected) = collected.withLock { collected in
            (collected.wirings[key] ?? nil, collected.wirings[key] != nil)
        }
        let seen = outer?.books[key] ?? PlugCell.of(action).book(action)
        let book = unsafeDowncast(seen, to: Book.self).copy()
        // Plugged by itself for this task before: that is the default implementation here.
        if isCollected, outer?.books[key] == nil {
            book.plug(erased: wiring)
        }
        collected.withLock { $0.books[key] = book }
        return book
    }
}
