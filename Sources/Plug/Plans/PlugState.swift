/// An action's plan and its statistics: the response of `GET /plugs/{action}`.
package struct PlugState: Codable, Sendable, Equatable {
    /// The action's name.
    package var action: String
    /// The current plan; nil if nothing is plugged.
    package var plan: PlugPlan?
    /// The plan set in code, without a live change.
    package var standard: PlugPlan?
    /// Whether the plan was changed at run time.
    package var isLive: Bool
    /// The plugged implementations, sorted by name.
    package var implementations: [Implementation]
    /// The results of each shadow.
    package var shadows: [Shadow] = []
    /// The state of each circuit breaker.
    package var breakers: [Breaker] = []
    /// The content of each cache.
    package var caches: [Cache] = []
    /// The candidate that a guard removed last, and the reason.
    package var unplugged: PlugUnplugged?
    /// The entity tag of the plan set at run time, for `If-Match`.
    package var etag: String?

    /// One implementation, with the counts of its calls since the plan was set.
    package struct Implementation: Codable, Sendable, Equatable {
        /// Its name.
        package var name: String
        /// The name of its Swift type; `closure` for a closure.
        package var type: String
        /// The finished calls.
        package var calls = 0
        /// The finished calls that failed.
        package var errors = 0
        /// The running calls.
        package var running = 0
        /// The average duration of a call, in milliseconds.
        package var meanMilliseconds = 0.0
        /// The longest duration of a call, in milliseconds.
        package var slowestMilliseconds = 0.0
    }

    /// The results of a shadow.
    package struct Shadow: Codable, Sendable, Equatable {
        /// The layer as a JSON Pointer into the plan.
        package var at: String
        /// The compared outputs.
        package var compared = 0
        /// The compared outputs that differed.
        package var differences = 0
        /// The calls that ran without the candidate, because its limit was reached.
        package var skipped = 0
        /// The candidate's running calls.
        package var running = 0
    }

    /// The state of a circuit breaker.
    package struct Breaker: Codable, Sendable, Equatable {
        /// The calls that a breaker lets through.
        package enum State: String, Codable, Sendable, CaseIterable {
            /// All.
            case closed
            /// None.
            case open
            /// As many as it has probes.
            case halfOpen = "half-open"
        }

        /// The layer as a JSON Pointer into the plan.
        package var at: String
        /// The calls that it lets through.
        package var state: State
        /// The failures in a row.
        package var failures: Int
    }

    /// The content of a cache.
    package struct Cache: Codable, Sendable, Equatable {
        /// The layer as a JSON Pointer into the plan.
        package var at: String
        /// The stored outputs.
        package var entries: Int
        /// The stored outputs' size in bytes.
        package var bytes: Int
        /// The calls that the cache served.
        package var hits: Int
        /// The calls that the cache couldn't serve.
        package var misses: Int
    }

    private enum CodingKeys: String, CodingKey {
        case action, plan, standard = "default", isLive = "live", implementations, shadows, breakers
        case caches, unplugged, etag
    }
}

/// A candidate that a guard removed from a plan, and the reason.
package struct PlugUnplugged: Codable, Sendable, Equatable {
    /// The implementation's name.
    package var plug: String
    /// The reason for the removal.
    package var reason: String
}
