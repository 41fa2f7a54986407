import CoreMetrics
import Telemetry
import Testing

@Suite("Metrics registry of swift-metrics")
struct MetricsRegistryTests {
    private let registry = MetricsRegistry()

    private func lines() -> [Substring] {
        MetricsText.openMetrics.render(registry.families()).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
    }

    @Test("counters of the same name and dimensions add up")
    func counters() {
        Counter(label: "likes", dimensions: [("photo", "1")], factory: registry).increment()
        Counter(label: "likes", dimensions: [("photo", "1")], factory: registry).increment(by: 2)
        Counter(label: "likes", dimensions: [("photo", "2")], factory: registry).increment()
        #expect(lines() == ["likes_total{photo=\"1\"} 3", "likes_total{photo=\"2\"} 1"])
    }

    @Test("a counter named _total has one suffix and never decreases")
    func totals() {
        let counter = Counter(label: "likes_total", factory: registry)
        counter.increment(by: 5)
        counter.increment(by: -3)
        #expect(lines() == ["likes_total 5"])
        counter.reset()
        #expect(lines() == ["likes_total 0"])
    }

    @Test("fractions are counted")
    func fractions() {
        let counter = FloatingPointCounter(label: "sum", factory: registry)
        counter.increment(by: 0.25)
        counter.increment(by: 0.5)
        #expect(lines() == ["sum_total 0.75"])
    }

    @Test("gauges and meters go up and down")
    func gauges() {
        let meter = Meter(label: "queue", factory: registry)
        meter.set(4)
        meter.increment(by: 2)
        meter.decrement(by: 5)
        Gauge(label: "heat", factory: registry).record(-1.5)
        #expect(lines() == ["heat -1.5", "queue 1"])
    }

    @Test("timers are histograms in seconds")
    func timers() {
        let timer = Timer(label: "wait", factory: registry)
        timer.recordMilliseconds(3)
        timer.recordSeconds(60)
        #expect(lines().contains("wait_seconds_bucket{le=\"0.0025\"} 0"))
        #expect(lines().contains("wait_seconds_bucket{le=\"0.005\"} 1"))
        #expect(lines().contains("wait_seconds_bucket{le=\"10\"} 1"))
        #expect(
            lines().suffix(3) == [
                "wait_seconds_bucket{le=\"+Inf\"} 2", "wait_seconds_count 2",
                "wait_seconds_sum 60.003",
            ]
        )
    }

    @Test("a recorder is a histogram with powers of ten")
    func recorders() {
        Recorder(label: "size", factory: registry).record(50)
        #expect(lines().contains("size_bucket{le=\"10\"} 0"))
        #expect(lines().contains("size_bucket{le=\"100\"} 1"))
    }

    @Test("a metric whose name has another kind is dropped and counted")
    func kinds() {
        Counter(label: "thing", factory: registry).increment()
        Meter(label: "thing", factory: registry).set(9)
        #expect(
            lines() == ["thing_total 1", "plugboard_metrics_dropped_series 1"].sorted().reversed()
        )
    }

    @Test("series are limited: dimensions from user input can't fill the memory")
    func bounds() {
        for user in 0..<700 {
            Counter(label: "by_user", dimensions: [("user", "\(user)")], factory: registry)
                .increment()
        }
        #expect(lines().count == 501)
        #expect(lines().last == "plugboard_metrics_dropped_series 200")
    }

    @Test("a destroyed metric is removed")
    func destroyed() {
        let counter = Counter(label: "gone", factory: registry)
        counter.increment()
        counter.destroy()
        #expect(lines().isEmpty)
    }

    @Test("concurrent increments are all counted")
    func concurrent() async {
        let registry = registry
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { Counter(label: "n", factory: registry).increment() }
                }
            }
        }
        #expect(lines() == ["n_total 4000"])
    }
}
