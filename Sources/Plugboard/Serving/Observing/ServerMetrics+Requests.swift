import HTTPSyntax
import HTTPServer
import Locking
import Telemetry

extension ServerMetrics {
    private struct Call: Hashable {
        let action: String
        let outcome: String
    }

    /// The requests by route, method and status, with durations, and the calls of actions.
    func requests(_ observations: [LoopObservation]) -> [MetricFamily] {
        let names = names.value
        var requests: [RequestCounters.Key: RequestCounters.Total] = [:]
        var refused: [UInt16: Int] = [:]
        var calls: [Call: Int] = [:]
        for (key, total) in observations.flatMap({ $0.totals() }) {
            let count = total.counts.reduce(0, +)
            guard key.route != RequestSubject.Route.refused else {
                refused[key.status, default: 0] += count
                continue
            }
            // Registered and unknown methods share the label `_OTHER`, so they share a series.
            let isNamed =
                Method(rawValue: key.method).map { $0.name.utf8CodeUnitCount > 0 } ?? false
            let method = isNamed ? key.method : Method.unknown.rawValue
            let place = RequestCounters.Key(
                route: key.route,
                method: method,
                status: key.status,
                isCall: false
            )
            requests[place, default: .init()].add(total)
            if key.isCall, let action = names[key.route]?.action {
                calls[Call(action: action, outcome: Self.outcome(key.status)), default: 0] += count
            }
        }
        return [
            MetricFamily(
                "http_server_request_duration_seconds",
                .histogram,
                unit: "seconds",
                help: "Time between reading a request and creating its response.",
                requests.sorted { $0.key.bits < $1.key.bits }.map { key, total in
                    .init(labels(key, names[key.route]?.route), total.distribution)
                }
            ),
            MetricFamily(
                "http_server_rejected_requests",
                .counter,
                help: "Requests that broke the protocol or one of its limits.",
                refused.sorted { $0.key < $1.key }.map {
                    .init([("status", String($0.key))], Double($0.value))
                }
            ),
            MetricFamily(
                "http_server_active_requests",
                .gauge,
                help: "Requests in flight.",
                [.init([], Double(observations.reduce(0) { $0 + $1.inFlight }))]
            ),
            MetricFamily(
                "plugboard_action_calls",
                .counter,
                help: "Actions performed for requests.",
                calls.sorted {
                    ($0.key.action, $0.key.outcome) < ($1.key.action, $1.key.outcome)
                }.map {
                    .init(
                        [("action", $0.key.action), ("outcome", $0.key.outcome)],
                        Double($0.value)
                    )
                }
            ),
        ]
    }

    private func labels(_ key: RequestCounters.Key, _ route: String?) -> [MetricFamily.Label] {
        let method = Method(rawValue: key.method) ?? .unknown
        return [
            ("method", method == .unknown ? "_OTHER" : method.name.description),
            ("route", route ?? ""),
            ("status", String(key.status)),
        ]
    }

    private static func outcome(_ status: UInt16) -> String {
        switch status {
        case ..<400: "ok"
        case 499: "cancelled"
        case ..<500: "rejected"
        default: "failed"
        }
    }
}

extension RequestCounters.Total {
    fileprivate mutating func add(_ other: Self) {
        for index in counts.indices { counts[index] += other.counts[index] }
        nanoseconds += other.nanoseconds
    }

    var distribution: MetricFamily.Distribution {
        .init(bounds: DurationBuckets.seconds, counts: counts, sum: Double(nanoseconds) / 1e9)
    }
}
