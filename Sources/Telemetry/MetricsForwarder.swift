package import CoreMetrics
import Locking

/// Forwards a server's metrics to a backend of swift-metrics.
///
/// Loops count on their own, without calling a backend. The forwarder periodically sends the
/// difference. Samples have the family's name and labels. A histogram is sent as `…_count` and
/// `…_sum`.
package final class MetricsForwarder: Sendable {
    private let factory: any MetricsFactory
    private let state = Locked(State())

    private struct State {
        var counters: [[String]: (handler: any FloatingPointCounterHandler, value: Double)] = [:]
        var meters: [[String]: any MeterHandler] = [:]
    }

    /// Creates a forwarder to `factory`.
    package init(_ factory: any MetricsFactory) { self.factory = factory }

    /// Forwards the changes since the last call.
    package func forward(_ families: [MetricFamily]) {
        state.withLock { state in
            for family in families {
                for sample in family.samples { forward(sample, of: family, &state) }
            }
        }
    }

    private func forward(
        _ sample: MetricFamily.Sample,
        of family: MetricFamily,
        _ state: inout State
    ) {
        switch (family.kind, sample.value) {
        case (.counter, .number(let value)):
            count(family.name, sample.labels, value, &state)
        case (.gauge, .number(let value)):
            let key = Self.key(family.name, sample.labels)
            let meter =
                state.meters[key]
                ?? factory.makeMeter(label: family.name, dimensions: Self.dimensions(sample.labels))
            state.meters[key] = meter
            meter.set(value)
        case (_, .distribution(let values)):
            let number = Double(values.counts.reduce(0, +))
            count(family.name + "_count", sample.labels, number, &state)
            count(family.name + "_sum", sample.labels, values.sum, &state)
        case (.info, _), (.histogram, _): break
        }
    }

    private func count(
        _ name: String,
        _ labels: [MetricFamily.Label],
        _ value: Double,
        _ state: inout State
    ) {
        let key = Self.key(name, labels)
        let known =
            state.counters[key]
            ?? (
                factory.makeFloatingPointCounter(
                    label: name,
                    dimensions: Self.dimensions(labels)
                ), 0
            )
        state.counters[key] = (known.handler, value)
        if value > known.value { known.handler.increment(by: value - known.value) }
    }

    private static func key(_ name: String, _ labels: [MetricFamily.Label]) -> [String] {
        [name] + labels.flatMap { [$0.name, $0.value] }
    }

    private static func dimensions(_ labels: [MetricFamily.Label]) -> [(String, String)] {
        labels.map { ($0.name, $0.value) }
    }
}
