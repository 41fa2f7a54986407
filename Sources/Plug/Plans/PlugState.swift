/// What an action is wired to and how that fares: the answer of `GET /plugs/{action}`.
package struct PlugState: Codable, Sendable, Equatable {
    /// The action's name.
    package var action: String
    /// What calls go through; nil where nothing is plugged.
    package var plan: PlugPlan?
    /// What calls go through without a live change.
    package var standard: PlugPlan?
    /// Whether the plan was changed while the process ran.
    package var isLive: Bool
    /// The implementations that have a name, by it.
    package var implementations: [Implementation]
    /// What each shadow has found.
    package var shadows: [Shadow] = []
    /// How each circuit breaker stands.
    package var breakers: [Breaker] = []
    /// What each cache holds.
    package var caches: [Cache] = []
    /// What was taken out by itself last, and why.
    package var unplugged: PlugUnplugged?

    /// One implementation, with the counts of its calls since the plan was set.
    package struct Implementation: Codable, Sendable, Equatable {
        /// Its name.
        package var name: String
        /// The calls that ended.
        package var calls = 0
        /// Those of them that failed.
        package var errors = 0
        /// The calls that go on.
        package var running = 0
        /// How long a call took on average, in milliseconds.
        package var meanMilliseconds = 0.0
        /// How long the slowest took, in milliseconds.
        package var slowestMilliseconds = 0.0
    }

    /// What a shadow has found.
    package struct Shadow: Codable, Sendable, Equatable {
        /// The layer as a JSON Pointer into the plan.
        package var at: String
        /// The answers that were compared.
        package var compared = 0
        /// Those of them that were others.
        package var differences = 0
        /// The calls that had no shadow, because too many went on.
        package var skipped = 0
        /// The candidate's calls that go on.
        package var running = 0
    }

    /// How a circuit breaker stands.
    package struct Breaker: Codable, Sendable, Equatable {
        /// Which calls it lets through.
        package enum State: String, Codable, Sendable, CaseIterable {
            /// All.
            case closed
            /// None.
            case open
            /// So many as it has probes.
            case halfOpen = "half-open"
        }

        /// The layer as a JSON Pointer into the plan.
        package var at: String
        /// Which calls it lets through.
        package var state: State
        /// The failures in a row.
        package var failures: Int
    }

    /// What a cache holds.
    package struct Cache: Codable, Sendable, Equatable {
        /// The layer as a JSON Pointer into the plan.
        package var at: String
        /// The answers that it holds.
        package var entries: Int
        /// Their bytes.
        package var bytes: Int
        /// The calls that it answered.
        package var hits: Int
        /// The calls that it didn't.
        package var misses: Int
    }

    private enum CodingKeys: String, CodingKey {
        case action, plan, standard = "default", isLive = "live", implementations, shadows, breakers
        case caches, unplugged
    }

    mutating func count(_ name: String, _ counts: PlugTally.Counts) {
        let counted = Implementation(
            name: name,
            calls: counts.calls,
            errors: counts.errors,
            running: counts.running,
            meanMilliseconds: counts.mean / .milliseconds(1),
            slowestMilliseconds: counts.slowest / .milliseconds(1)
        )
        guard let index = implementations.firstIndex(where: { $0.name == name }) else { return }
        implementations[index] = counted
    }
}

/// What a guard took out of a plan, and why.
package struct PlugUnplugged: Codable, Sendable, Equatable {
    /// The implementation's name.
    package var plug: String
    /// What it did.
    package var reason: String
}
