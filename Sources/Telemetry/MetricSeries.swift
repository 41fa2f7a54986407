import CoreMetrics
import Locking

/// One series of a metric: a number or a histogram.
final class MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler,
    RecorderHandler, TimerHandler
{
    /// The limits of buckets for values other than durations.
    private static let decades = [0.001, 0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    private enum Content {
        case number(Double)
        case distribution(MetricFamily.Distribution)
    }

    private let kind: MetricFamily.Kind
    private let content: Locked<Content>

    init(_ kind: MetricFamily.Kind, isDuration: Bool) {
        self.kind = kind
        guard kind == .histogram else {
            content = Locked(.number(0))
            return
        }
        let bounds = isDuration ? DurationBuckets.seconds : Self.decades
        let counts = Array(repeating: 0, count: bounds.count + 1)
        content = Locked(.distribution(.init(bounds: bounds, counts: counts, sum: 0)))
    }

    func sample(_ labels: [MetricFamily.Label]) -> MetricFamily.Sample {
        switch content.withLock({ $0 }) {
        case .number(let value): .init(labels, value)
        case .distribution(let value): .init(labels, value)
        }
    }

    /// Adds to a counter, which never decreases, or to a gauge.
    func increment(by amount: Double) {
        guard amount > 0 || kind == .gauge else { return }
        content.withLock { content in
            if case .number(let value) = content { content = .number(value + amount) }
        }
    }

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func decrement(by amount: Double) { increment(by: -amount) }

    func reset() { set(0.0) }

    func set(_ value: Double) {
        content.withLock { content in
            if case .number = content { content = .number(value) }
        }
    }

    func set(_ value: Int64) { set(Double(value)) }

    func record(_ value: Double) {
        content.withLock { content in
            switch content {
            case .number: content = .number(value)
            case .distribution(var values):
                // Removes the stored reference first, so that the array is changed in place instead
                // of copied.
                content = .number(0)
                let index = values.bounds.firstIndex { value <= $0 } ?? values.bounds.count
                values.counts[index] += 1
                values.sum += value
                content = .distribution(values)
            }
        }
    }

    func record(_ value: Int64) { record(Double(value)) }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
