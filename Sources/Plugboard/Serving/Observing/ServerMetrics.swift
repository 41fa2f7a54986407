import BehaviorStore
import CoreMetrics
import HTTPSyntax
import HTTPServer
import Locking
import PlugHTTP
import Telemetry

/// The server's metrics for the metrics page.
final class ServerMetrics: Sendable {
    private let names: Once<[Int: (route: String, action: String?)]>
    private let version: String
    private let behaviors: LiveBehaviors?
    private let observations = Locked<[LoopObservation]>([])

    /// Creates the metrics; `actions` runs when the page is first shown.
    init(
        _ actions: @escaping @Sendable () -> [ExposedAction],
        version: String,
        behaviors: LiveBehaviors? = nil
    ) {
        self.version = version
        self.behaviors = behaviors
        names = Once {
            var names: [Int: (route: String, action: String?)] = [
                RequestSubject.Route.none: ("", nil),
                RequestSubject.Route.behaviors: (BehaviorsResponse.path.description, nil),
                RequestSubject.Route.namedBehaviors: ("/behaviors/{name}.json", nil),
                RequestSubject.Route.files: ("/{file}", nil),
            ]
            for action in actions() {
                if case .success(let route) = action.actionRoute {
                    names[action.number] = (route.template.description, action.name)
                }
            }
            return names
        }
    }

    /// Creates the counters of the next loop.
    func observation() -> LoopObservation {
        let observation = LoopObservation()
        observations.withLock { $0.append(observation) }
        return observation
    }

    /// The current families: the server's own, and the application's with other names.
    func families() -> [MetricFamily] {
        let own = own()
        // As one of several backends, this registry has received the server's own metrics.
        let names = Set(own.flatMap { [$0.name, $0.name + "_count", $0.name + "_sum"] })
        return own + MetricsRegistry.shared.families().filter { !names.contains($0.name) }
    }

    /// Forwards the server's metrics to a backend of swift-metrics until the task is cancelled.
    ///
    /// Does nothing for the page's own backend, which has them anyway, or without a backend.
    func forward(to factory: any MetricsFactory, every interval: Duration = .seconds(10)) async {
        guard !(factory is MetricsRegistry || factory is NOOPMetricsHandler) else { return }
        let forwarder = MetricsForwarder(factory)
        repeat {
            forwarder.forward(own())
        } while (try? await Task.sleep(for: interval)) != nil
        forwarder.forward(own())
    }

    private func own() -> [MetricFamily] {
        let observations = observations.withLock { $0 }
        return requests(observations) + connections(observations) + loops(observations)
            + targeting() + ProcessMetrics.families()
            + [
                MetricFamily(
                    "plugboard_build",
                    .info,
                    help: "The server's version.",
                    [.init([("version", version)], 1)]
                )
            ]
    }

    // MARK: Requests

    private struct Call: Hashable {
        let action: String
        let outcome: String
    }

    private func requests(_ observations: [LoopObservation]) -> [MetricFamily] {
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
        case ..<500: "refused"
        default: "failed"
        }
    }

    // MARK: Behaviors

    private func targeting() -> [MetricFamily] {
        guard let documents = behaviors?.all, !documents.isEmpty else { return [] }
        return [
            MetricFamily(
                "plugboard_behavior_rule_problems",
                .counter,
                help: "Evaluations of rules and operations that failed for a context.",
                documents.map { name, live in
                    .init([("document", name)], Double(live.problemCount))
                }
            ),
            MetricFamily(
                "plugboard_behavior_variants",
                .gauge,
                help: "Stored variants of a document.",
                documents.map { name, live in
                    .init([("document", name)], Double(live.revision?.variants?.count ?? 0))
                }
            ),
        ]
    }

    // MARK: Connections and loops

    private func connections(_ observations: [LoopObservation]) -> [MetricFamily] {
        let counters = observations.compactMap(\.counters)
        func sum(_ count: (LoopCounters) -> Int) -> [MetricFamily.Sample] {
            [.init([], Double(counters.reduce(0) { $0 + count($1) }))]
        }
        return [
            MetricFamily(
                "http_server_active_connections",
                .gauge,
                help: "Open connections.",
                sum { $0.accepted.value - $0.closed.value }
            ),
            MetricFamily(
                "http_server_accepted_connections",
                .counter,
                help: "Accepted connections.",
                sum { $0.accepted.value }
            ),
            MetricFamily(
                "http_server_rejected_connections",
                .counter,
                help: "Connections closed at once because the limit was reached.",
                sum { $0.refused.value }
            ),
            MetricFamily(
                "http_server_received_bytes",
                .counter,
                unit: "bytes",
                help: "Bytes read from connections, within TLS.",
                sum { $0.received.value }
            ),
            MetricFamily(
                "http_server_sent_bytes",
                .counter,
                unit: "bytes",
                help: "Bytes written to connections, within TLS.",
                sum { $0.sent.value }
            ),
        ]
    }

    private func loops(_ observations: [LoopObservation]) -> [MetricFamily] {
        let counters = observations.compactMap(\.counters).enumerated()
        return [
            MetricFamily(
                "plugboard_loop_turns",
                .counter,
                help: "Wake-ups of a loop.",
                counters.map {
                    .init([("loop", String($0.offset))], Double($0.element.turns.value))
                }
            ),
            MetricFamily(
                "plugboard_loop_cpu_seconds",
                .counter,
                unit: "seconds",
                help: "CPU time of a loop's thread: its rate is how busy the loop is.",
                counters.compactMap { index, counters in
                    counters.cpuTime.map { .init([("loop", String(index))], Double($0) / 1e9) }
                }
            ),
        ]
    }
}

extension RequestCounters.Total {
    fileprivate mutating func add(_ other: Self) {
        for index in counts.indices { counts[index] += other.counts[index] }
        nanoseconds += other.nanoseconds
    }

    fileprivate var distribution: MetricFamily.Distribution {
        .init(bounds: DurationBuckets.seconds, counts: counts, sum: Double(nanoseconds) / 1e9)
    }
}
