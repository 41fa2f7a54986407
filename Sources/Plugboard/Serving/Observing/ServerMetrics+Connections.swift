import HTTPServer
import HTTPSyntax
import Telemetry

extension ServerMetrics {
    /// The connections and their bytes.
    func connections(_ counters: [LoopCounters]) -> [MetricFamily] {
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
                "http_server_max_connections",
                .gauge,
                help: "The limit of open connections.",
                sum { $0.limits.connections }
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
                "http_server_rejected_proxy_headers",
                .counter,
                help: "Connections of trusted proxies closed because of their PROXY header.",
                ProxyHeader.Failure.allCases.map { failure in
                    .init(
                        [("reason", failure.name)],
                        Double(counters.reduce(0) { $0 + $1.proxyFailures[failure] })
                    )
                }
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

    /// The loops' turns and CPU time.
    func loops(_ counters: [LoopCounters]) -> [MetricFamily] {
        [
            MetricFamily(
                "plugboard_loop_turns",
                .counter,
                help: "Wake-ups of a loop.",
                counters.enumerated().map {
                    .init([("loop", String($0.offset))], Double($0.element.turns.value))
                }
            ),
            MetricFamily(
                "plugboard_loop_cpu_seconds",
                .counter,
                unit: "seconds",
                help: "CPU time of a loop's thread: its rate is how busy the loop is.",
                counters.enumerated().compactMap { index, counters in
                    counters.cpuTime.map { .init([("loop", String(index))], Double($0) / 1e9) }
                }
            ),
        ]
    }

    /// The memory that has a limit: above it, requests are rejected with 503.
    func budgets(_ counters: [LoopCounters]) -> [MetricFamily] {
        var used: [MetricFamily.Sample] = []
        var limits: [MetricFamily.Sample] = []
        func add(_ budget: String, loop: Int? = nil, _ bytes: Int, of limit: Int) {
            var labels: [MetricFamily.Label] = [("budget", budget)]
            if let loop { labels.append(("loop", String(loop))) }
            used.append(.init(labels, Double(bytes)))
            limits.append(.init(labels, Double(limit)))
        }
        for (index, loop) in counters.enumerated() {
            add("bodies", loop: index, loop.collected.value, of: loop.limits.bodies)
            add("responses", loop: index, loop.waiting.value, of: loop.limits.responses)
        }
        // All loops share these.
        if let streamed = counters.first?.streamed {
            add("streamed_bodies", streamed.bytes, of: streamed.limit)
        }
        add("decoding", HeldBody.usage.bytes, of: HeldBody.usage.limit)
        let streams = subjects.streams
        return [
            MetricFamily(
                "http_server_budget_used_bytes",
                .gauge,
                unit: "bytes",
                help: "Memory in use of a budget, of a loop or of all.",
                used
            ),
            MetricFamily(
                "http_server_budget_limit_bytes",
                .gauge,
                unit: "bytes",
                help: "The limit of a budget: above it, requests are rejected with 503.",
                limits
            ),
            MetricFamily(
                "http_server_endless_streams",
                .gauge,
                help: "Open endless streams.",
                streams.map { [.init([], Double($0.count))] } ?? []
            ),
            MetricFamily(
                "http_server_max_endless_streams",
                .gauge,
                help: "The limit of open endless streams.",
                streams.map { [.init([], Double($0.limit))] } ?? []
            ),
        ]
    }
}
