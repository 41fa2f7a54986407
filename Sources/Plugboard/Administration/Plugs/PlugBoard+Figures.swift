import Glibc
import JSONCodec
import Plug
import Telemetry

extension PlugBoard {
    /// Returns the figures between the first and the last of the samples, at a time in milliseconds
    /// since 1970.
    static func board(of actions: [ExposedAction], _ samples: [BoardSample], at time: Int) -> JSON {
        var board = JSON.Object()
        for action in actions {
            board[action.name] = figures(of: action.name, action.number, samples)
        }
        return ["at": .number(JSON.Number(time)), "actions": .object(board)]
    }

    /// The milliseconds since 1970.
    static func date() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    private static func figures(
        of name: String,
        _ number: Int,
        _ samples: [BoardSample]
    ) -> JSON {
        guard let last = samples.last, let plug = last.plugs[name] else { return .null }
        // A new plan has new counts, so its period begins after the last sample of the other one.
        let other = samples.last { $0.plugs[name]?.revision != plug.revision }
        let first = other ?? samples.first ?? last
        let seconds = Double(last.at - first.at) / 1e9
        let requests = requests(number, from: first, to: last)
        var implementations = JSON.Object()
        for implementation in plug.state.implementations {
            var figures = CallFigures()
            if let calls = plug.calls[implementation.name] {
                let before = other == nil ? first.plugs[name]?.calls[implementation.name] : nil
                figures = self.calls(calls, since: before, seconds)
            } else if plug.calls.isEmpty, plug.state.plan == .plug(implementation.name) {
                // The only implementation of a plan that the code has set counts no calls itself.
                figures = requests
            }
            let unplugged = plug.state.unplugged
            let note = unplugged?.plug == implementation.name ? unplugged?.reason : nil
            var members = figures.members
            if let note { members["note"] = .string(note) }
            implementations[implementation.name] = .object(members)
        }
        var members: JSON.Object = [
            "revision": .number(JSON.Number(plug.revision)), "seconds": rounded(seconds),
        ]
        for (name, value) in requests.members { members[name] = value }
        members["implementations"] = .object(implementations)
        var breakers = JSON.Object()
        var caches = JSON.Object()
        for breaker in plug.state.breakers {
            breakers[breaker.at] = .string(breaker.state.rawValue)
        }
        for cache in plug.state.caches {
            caches[cache.at] = [
                "hits": .number(JSON.Number(cache.hits)),
                "misses": .number(JSON.Number(cache.misses)),
            ]
        }
        if !plug.state.breakers.isEmpty { members["breakers"] = .object(breakers) }
        if !plug.state.caches.isEmpty { members["caches"] = .object(caches) }
        return .object(members)
    }

    private static func requests(
        _ number: Int,
        from first: BoardSample,
        to last: BoardSample
    ) -> CallFigures {
        let before = first.requests[number] ?? BoardSample.Requests()
        let after = last.requests[number] ?? BoardSample.Requests()
        return CallFigures(
            zip(after.counts, before.counts).map { $0 - $1 },
            errors: after.errors - before.errors,
            limits: [0] + DurationBuckets.nanoseconds.map { Double($0) / 1_000 },
            seconds: Double(last.at - first.at) / 1e9
        )
    }

    /// The figures of an implementation's calls since earlier counts, or since its plan was set.
    private static func calls(
        _ calls: PlugSample.Calls,
        since before: PlugSample.Calls?,
        _ seconds: Double
    ) -> CallFigures {
        CallFigures(
            zip(calls.durations.counts, (before ?? .init()).durations.counts).map { $0 - $1 },
            errors: calls.errors - (before?.errors ?? 0),
            limits: DurationHistogram.limits,
            seconds: seconds
        )
    }
}

/// A number of the board's JSON, to a thousandth.
private func rounded(_ number: Double) -> JSON {
    JSON(floatLiteral: (number * 1_000).rounded() / 1_000)
}

extension CallFigures {
    /// The members of the board's JSON: rates to a thousandth, durations in whole microseconds.
    fileprivate var members: JSON.Object {
        func whole(_ duration: Double?) -> JSON {
            duration.map { .number(JSON.Number(Int($0.rounded()))) } ?? .null
        }
        return [
            "rate": rounded(rate), "p50": whole(p50), "p99": whole(p99), "errors": rounded(errors),
        ]
    }
}
