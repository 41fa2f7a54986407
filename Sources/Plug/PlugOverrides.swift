import Locking
import Synchronization

/// The immutable wirings of one `Actions.withPlugs`, visible to one task and its children.
final class PlugOverrides: Sendable {
    @TaskLocal static var ofTask: PlugOverrides?
    /// Whether any overrides were ever made.
    ///
    /// Most servers make none, and reading a task-local value takes seven times as long as reading
    /// this flag.
    ///
    /// A relaxed load suffices: a task that has overrides made them, or descends from the task that
    /// did.
    private static let exist = Atomic(false)
    /// The collector of the current `Actions.withPlugs`, set during its first closure.
    ///
    /// Plugs go into it instead of the global wiring.
    @TaskLocal static var collector: PlugCollector?

    /// An action's wiring by its type; nil if it was unplugged.
    let wirings: [ObjectIdentifier: (any AnyObject & Sendable)?]

    /// The books of the overridden actions that have names or a plan.
    let books: [ObjectIdentifier: any AnyActionPlugs]

    private init(_ collector: PlugCollector) {
        (wirings, books) = collector.result
        Self.exist.store(true, ordering: .relaxed)
    }

    /// The overrides of the current task.
    static var current: PlugOverrides? {
        exist.load(ordering: .relaxed) ? ofTask : nil
    }

    /// Returns the current overrides, overlaid with those that a closure plugs.
    static func collecting(_ plugs: () throws -> Void) rethrows -> PlugOverrides {
        let collector = PlugCollector(current)
        try $collector.withValue(collector, operation: plugs)
        return PlugOverrides(collector)
    }
}

/// The collector of the wirings of one `Actions.withPlugs`.
final class PlugCollector: Sendable {
    typealias Wirings = [ObjectIdentifier: (any AnyObject & Sendable)?]
    typealias Books = [ObjectIdentifier: any AnyActionPlugs]

    private let outer: PlugOverrides?
    private let collected: Locked<(wirings: Wirings, books: Books)>

    /// Creates a collector on top of a task's overrides.
    init(_ outer: PlugOverrides?) {
        self.outer = outer
        collected = Locked((outer?.wirings ?? [:], [:]))
    }

    /// The collected overrides; an action with a book is wired to the book's current content.
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

    /// Returns the task's own copy of an action's book, as a base for changes.
    func book<A: ActionProtocol>(of action: A.Type) -> ActionPlugs<A.Input, A.Output> {
        typealias Book = ActionPlugs<A.Input, A.Output>
        let key = ObjectIdentifier(action)
        if let book = collected.withLock({ $0.books[key] }) {
            return unsafeDowncast(book, to: Book.self)
        }
        let (wiring, isCollected) = collected.withLock { collected in
            (collected.wirings[key] ?? nil, collected.wirings[key] != nil)
        }
        let seen = outer?.books[key] ?? PlugCell.of(action).book(action)
        let book = unsafeDowncast(seen, to: Book.self).copy()
        // A plain plug of this task becomes the default implementation in the copy.
        if isCollected, outer?.books[key] == nil {
            book.plug(erased: wiring)
        }
        collected.withLock { $0.books[key] = book }
        return book
    }
}
