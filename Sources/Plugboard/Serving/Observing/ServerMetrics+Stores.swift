import AdministrationStore
import BehaviorStore
import HTTPServer
import HTTPSyntax
import Locking
import PostgreSQL
import Storage
import Telemetry

extension ServerMetrics {
    /// The availability of the stores, and the connections to the database.
    var stores: [MetricFamily] {
        var available: [MetricFamily.Sample] = []
        func add(_ store: String, _ isAvailable: Bool) {
            available.append(.init([("store", store)], isAvailable ? 1 : 0))
        }
        if let data = subjects.data { add("data", data.loss == nil) }
        if let administration = subjects.administration, administration.isRemote {
            add("tokens", administration.loss == nil)
        }
        if let authored = subjects.authored { add("documents", authored.loss == nil) }
        let up = MetricFamily(
            "plugboard_store_up",
            .gauge,
            help: "Whether a store can be read: 1, else 0.",
            available
        )
        guard let database = subjects.database else { return [up] }
        let counts = database.counts
        let connections = [
            ("idle", counts.idle),
            ("in_use", counts.inUse),
        ]
        return [
            up,
            MetricFamily(
                "plugboard_postgresql_clock_skew_seconds",
                .gauge,
                unit: "seconds",
                help: "The time by which this machine's clock is ahead of PostgreSQL's.",
                database.clock.skew.map { [.init([], $0)] } ?? []
            ),
            MetricFamily(
                "plugboard_postgresql_connections",
                .gauge,
                help: "Connections of the pool to PostgreSQL.",
                connections.map { .init([("state", $0.0)], Double($0.1)) }
            ),
            MetricFamily(
                "plugboard_postgresql_max_connections",
                .gauge,
                help: "The limit of connections in use.",
                [.init([], Double(database.maximumConnections))]
            ),
            MetricFamily(
                "plugboard_postgresql_waiting_callers",
                .gauge,
                help: "Callers that wait for a connection.",
                [.init([], Double(counts.waiting))]
            ),
        ]
    }

    /// The ends of the server's certificates and of its clients' revocation lists.
    var certificates: [MetricFamily] {
        guard let context = subjects.tls?.context else { return [] }
        return [
            MetricFamily(
                "plugboard_tls_certificate_expiry_timestamp_seconds",
                .gauge,
                unit: "seconds",
                help: "The time at which a certificate or its chain expires, since 1970.",
                // Two certificates may have one name and keys of two kinds.
                context.expiries.enumerated().map { index, expiry in
                    .init(
                        [("certificate", expiry.name), ("index", String(index))],
                        Double(expiry.seconds)
                    )
                }
            ),
            MetricFamily(
                "plugboard_tls_revocation_expiry_timestamp_seconds",
                .gauge,
                unit: "seconds",
                help: "The time at which the first revocation list expires, since 1970.",
                context.revocationExpiry.map { [.init([], Double($0))] } ?? []
            ),
        ]
    }

    /// The requests that rate limits rejected; each action with a limit has a series from the start.
    var rateLimits: [MetricFamily] {
        let limited = served.value.compactMap { action, policy in
            policy?.actionPolicy.rejectedByLimit.map { (action: action, count: $0) }
        }
        return [
            MetricFamily(
                "plugboard_rate_limit_rejections",
                .counter,
                help: "Requests and items of batches that a rate limit rejected.",
                limited.map { action, count in
                    .init(
                        [
                            ("method", action.method.name.description),
                            ("route", names.value[action.number]?.route ?? ""),
                        ],
                        Double(count)
                    )
                }
            )
        ]
    }
}
