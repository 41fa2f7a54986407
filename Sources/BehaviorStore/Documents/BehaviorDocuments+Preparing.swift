import Locking

extension BehaviorDocuments {
    /// How often a change is prepared outside the queue.
    ///
    /// If other changes invalidate it each time, it is prepared in the queue, so that it completes.
    private static let preparations = 3

    /// Makes a change that is slow to prepare; the preparation runs outside the queue and delays no
    /// other change.
    ///
    /// `basis` reads what the change depends on, `make` prepares it, `keep` stores it in the queue.
    /// If the basis changed in the meantime, the change is prepared again.
    func change<Basis: Equatable & Sendable, Made: Sendable, Value: Sendable>(
        by author: Author,
        upon basis: @escaping @Sendable () async throws -> Basis,
        making make: @escaping @Sendable (Basis) async throws -> Made,
        _ keep: @escaping @Sendable (Made, inout PendingChange) async throws -> Value
    ) async throws -> Value {
        // Checked first: an emptied store would be no valid basis.
        try await head.readLast()
        let preparation = Preparation(basis, make)
        for _ in 0..<Self.preparations {
            // Detached: this may be an event loop's thread.
            try await Task.detached { _ = try await preparation.current() }.value
            let value = try await change(by: author) { pending -> Value? in
                guard let made = try await preparation.currentIfMade() else { return nil }
                return try await keep(made, &pending)
            }
            if let value { return value }
        }
        return try await change(by: author) { pending in
            try await keep(try await preparation.current(), &pending)
        }
    }
}

/// A prepared change and the basis it was made from.
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

    /// Returns the change for the current basis.
    func current() async throws -> Made {
        let basis = try await basis()
        if let known = known.withLock({ $0 }), known.basis == basis { return known.made }
        let made = try await make(basis)
        known.withLock { $0 = (basis, made) }
        return made
    }

    /// Returns the change for the current basis if it is prepared; nil otherwise.
    func currentIfMade() async throws -> Made? {
        let basis = try await basis()
        return known.withLock { $0 }.flatMap { $0.basis == basis ? $0.made : nil }
    }
}
