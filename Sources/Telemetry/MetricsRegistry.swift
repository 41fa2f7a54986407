package import CoreMetrics
import Locking

/// The application's metrics from swift-metrics, for the metrics page.
///
/// A label is a family, and each set of dimensions is a series of it. Both have limits. A series
/// beyond the limit isn't recorded, and is counted in `dropped`.
package final class MetricsRegistry: MetricsFactory, Sendable {
    /// The registry for `MetricsSystem`.
    package static let shared = MetricsRegistry()

    /// The maximum number of families, and of series in a family.
    static let limit = 500

    private struct Entry {
        let kind: MetricFamily.Kind
        var series: [[String]: MetricSeries] = [:]
        var order: [(labels: [MetricFamily.Label], series: MetricSeries)] = []
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var dropped = 0
    }

    private let state = Locked(State())

    package init() {}

    /// The families, sorted by name.
    package func families() -> [MetricFamily] {
        let (entries, dropped) = state.withLock { ($0.entries, $0.dropped) }
        var families = entries.sorted { $0.key < $1.key }.map { name, entry in
            MetricFamily(
                name,
                entry.kind,
                help: "The application's metric \(name).",
                entry.order.map { $0.series.sample($0.labels) }
            )
        }
        if dropped > 0 {
            families.append(
                MetricFamily(
                    "plugboard_metrics_dropped_series",
                    .gauge,
                    help: "Series that were dropped because of the limit.",
                    [.init([], Double(dropped))]
                )
            )
        }
        return families
    }

    private func series(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: MetricFamily.Kind,
        suffix: String = ""
    ) -> MetricSeries {
        var name = MetricsText.name(label)
        // OpenMetrics adds the suffix to a counter's samples, not to its name.
        if kind == .counter, name.hasSuffix("_total") { name.removeLast(6) }
        if !name.hasSuffix(suffix) { name += suffix }
        let labels: [MetricFamily.Label] = dimensions.map {
            (MetricsText.labelName($0.0), String($0.1.prefix(200)))
        }
        let key = labels.flatMap { [$0.name, $0.value] }
        let new = MetricSeries(kind, isDuration: !suffix.isEmpty)
        return state.withLock { state in
            if let known = state.entries[name]?.series[key], state.entries[name]?.kind == kind {
                return known
            }
            let isRoom = state.entries.count < Self.limit || state.entries[name] != nil
            var entry = state.entries[name] ?? Entry(kind: kind)
            guard isRoom, entry.kind == kind, entry.order.count < Self.limit else {
                state.dropped += 1
                return new
            }
            entry.series[key] = new
            entry.order.append((labels, new))
            state.entries[name] = entry
            return new
        }
    }

    private func forget(_ handler: AnyObject) {
        state.withLock { state in
            for (name, entry) in state.entries {
                guard let index = entry.order.firstIndex(where: { $0.series === handler }) else {
                    continue
                }
                var entry = entry
                entry.order.remove(at: index)
                entry.series = entry.series.filter { $0.value !== handler }
                state.entries[name] = entry.order.isEmpty ? nil : entry
                return
            }
        }
    }

    // MARK: MetricsFactory

    package func makeCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any CounterHandler { series(label, dimensions, .counter) }

    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { series(label, dimensions, .counter) }

    package func makeMeter(
        label: String,
        dimensions: [(String, String)]
    ) -> any MeterHandler { series(label, dimensions, .gauge) }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler { series(label, dimensions, aggregate ? .histogram : .gauge) }

    package func makeTimer(
        label: String,
        dimensions: [(String, String)]
    ) -> any TimerHandler { series(label, dimensions, .histogram, suffix: "_seconds") }

    package func destroyCounter(_ handler: any CounterHandler) { forget(handler) }

    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        forget(handler)
    }

    package func destroyMeter(_ handler: any MeterHandler) { forget(handler) }

    package func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }

    package func destroyTimer(_ handler: any TimerHandler) { forget(handler) }
}
