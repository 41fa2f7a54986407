import Locking

extension BehaviorDocuments {
    /// How often a change is made ready beside the line; who is overtaken each time makes it ready when
    /// it is its turn, so that it comes to an end.
    private static let preparations = 3

    /// Makes a change of what takes its time to make ready: before its turn, so that nobody waits for it.
    ///
    /// `basis` reads what it is made of, `make` makes it ready, `keep` keeps it in its turn: it is what
    /// comes of the basis as that is then. Where others have changed that meanwhile, it is made anew.
    func change<Basis: Equatable & Sendable, Made: Sendable, Value: Sendable>(
        by author: Author,
        upon basis: @escaping @Sendable () async throws -> Basis,
        making make: @escaping @Sendable (Basis) async throws -> Made,
        _ keep: @escaping @Sendable (Made, inout Ledger) async throws -> Value
    ) async throws -> Value {
        // What is made of an emptied store would be of nothing.
        try await lastRow()
        let preparation = Preparation(basis, make)
        for _ in 0..<Self.preparations {
            // Detached: this may be an event loop's thread.
            try await Task.detached { _ = try await preparation.current() }.value
            let value = try await change(by: author) { ledger -> Value? in
                guard let made = try await preparation.currentIfMade() else { return nil }
                return try await keep(made, &ledger)
            }
            if let value { return value }
        }
        return try await change(by: author) { ledger in
            try await keep(try await preparation.current(), &ledger)
        }
    }
}

/// What is made ready for a change, and of what.
private final class Preparation<Basis: Equatable & Sendable, Made: Sendable>: Sendable {
    private let basis: @Sendable () async throws -> Basis
    private let make: @Sendable (Basis) async throws -> Made
    private let known = Locked<(basis: Basis, made: Made)?>(nil)

    init(
        _ basis: @escaping @Sendable () async throws -> Basis,
        _ make: @escaping @Sendable (Basis) async throws -> Made
    ) {
        self.basis = basis
        self.make = make
    }

    /// What comes of the basis as it is now.
    func current() async throws -> Made {
        let basis = try await basis()
        if let known = known.withLock({ $0 }), known.basis == basis { return known.made }
        let made = try await make(basis)
        known.withLock { $0 = (basis, made) }
        return made
    }

    /// What comes of the basis as it is now, where that is ready; nil where it isn't.
    func currentIfMade() async throws -> Made? {
        let basis = try await basis()
        return known.withLock { $0 }.flatMap { $0.basis == basis ? $0.made : nil }
    }
}
