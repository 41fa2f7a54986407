import BehaviorStore
import Telemetry

extension ServerMetrics {
    /// The most documents with series of their own; the counts of documents include all.
    static let maximumDocuments = 500

    /// The live revisions of the served environment, and the problems of serving them.
    var behaviors: [MetricFamily] {
        guard let all = subjects.behaviors?.all else { return [] }
        let documents = all.prefix(Self.maximumDocuments).map { name, live in
            let labels: [MetricFamily.Label] = [
                ("environment", subjects.environment), ("document", name),
            ]
            return (labels: labels, live: live, revision: live.revision)
        }
        let served = all.count { $0.live.revision != nil }
        let environment: MetricFamily.Label = ("environment", subjects.environment)
        return [
            MetricFamily(
                "plugboard_behavior_documents",
                .gauge,
                help: "Documents that are served, and those without a revision that can be.",
                [("served", served), ("unservable", all.count - served)].map {
                    .init([environment, ("state", $0.0)], Double($0.1))
                }
            ),
            MetricFamily(
                "plugboard_behavior_revision",
                .gauge,
                help: "The number of the live revision; a document in a file has none.",
                documents.compactMap { document in
                    document.revision?.number.map { .init(document.labels, Double($0)) }
                }
            ),
            MetricFamily(
                "plugboard_behavior_live_timestamp_seconds",
                .gauge,
                unit: "seconds",
                help: "The time since which the live revision is live, since 1970.",
                documents.compactMap { document in
                    document.revision.map { .init(document.labels, Double($0.lastModified)) }
                }
            ),
            MetricFamily(
                "plugboard_behavior_store_problems",
                .gauge,
                help:
                    "Problems of the last look into the store: it, or a live revision, can't be read.",
                subjects.authored.map { [.init([environment], Double($0.problemCount))] } ?? []
            ),
            MetricFamily(
                "plugboard_behavior_rule_problems",
                .counter,
                help: "Evaluations of rules and operations that failed for a context.",
                documents.map { .init($0.labels, Double($0.live.problemCount)) }
            ),
            MetricFamily(
                "plugboard_behavior_guard_reports",
                .counter,
                help: "Reports of apps' crash guards; invalid are fields that are no reports.",
                documents.flatMap { labels, live, _ -> [MetricFamily.Sample] in
                    let counts = live.reportCounts
                    return GuardReportKind.allCases.map { kind in
                        .init(labels + [("kind", kind.rawValue)], Double(counts[kind] ?? 0))
                    }
                }
            ),
            MetricFamily(
                "plugboard_behavior_variants",
                .gauge,
                help: "Stored variants of a document.",
                documents.map { .init($0.labels, Double($0.revision?.variants?.count ?? 0)) }
            ),
        ]
    }
}
