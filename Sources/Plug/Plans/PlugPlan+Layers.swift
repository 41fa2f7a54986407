extension PlugPlan {
    /// Returns a plan that gives each implementation a percentage of the calls.
    public static func split(
        _ shares: [String: Double],
        guard limits: PlugGuard? = nil
    ) -> PlugPlan {
        .split(PlugSplit(shares, guard: limits))
    }

    /// Returns a plan with a candidate beside it, whose outputs are compared and discarded.
    ///
    /// `isUnsafe` allows the candidate to perform an action that isn't idempotent.
    public static func shadow(
        _ plan: PlugPlan,
        with candidate: PlugPlan,
        limit: Int = 16,
        isUnsafe: Bool = false,
        guard limits: PlugGuard? = nil
    ) -> PlugPlan {
        .shadow(
            plan,
            with: candidate,
            PlugShadow(limit: limit, isUnsafe: isUnsafe, guard: limits)
        )
    }

    /// Returns a plan that tries one plan after the other until one succeeds.
    public static func fallback(_ steps: Step...) -> PlugPlan { .fallback(steps) }

    /// Returns a plan that pauses calls after a number of failures in a row.
    public static func breaker(
        _ plan: PlugPlan,
        failures: Int = 5,
        seconds: Double = 30,
        probes: Int = 1
    ) -> PlugPlan {
        .breaker(plan, PlugBreaker(failures: failures, seconds: seconds, probes: probes))
    }

    /// Returns a plan that retries failures of another one.
    public static func retry(
        _ plan: PlugPlan,
        attempts: Int = 3,
        delay: Double = 0.1
    ) -> PlugPlan {
        .retry(plan, PlugRetry(attempts: attempts, delay: delay))
    }

    /// Returns a plan that stores the outputs of another one.
    public static func cache(
        _ plan: PlugPlan,
        seconds: Double = 60,
        entries: Int = 1000,
        bytes: Int = 16 << 20,
        shared: Bool = false
    ) -> PlugPlan {
        .cache(
            plan,
            PlugCache(seconds: seconds, entries: entries, bytes: bytes, shared: shared)
        )
    }
}
