import MetricsTestKit
import Testing

@testable import Telemetry

@Suite("Metrics forwarded to a swift-metrics backend")
struct MetricsForwarderTests {
    private let backend = TestMetrics()

    private func family(_ kind: MetricFamily.Kind, _ value: Double) -> MetricFamily {
        MetricFamily("a_family", kind, help: "", [.init([("place", "here")], value)])
    }

    @Test("a counter's increase is forwarded")
    func counter() throws {
        let forwarder = MetricsForwarder(backend)
        for value in [3.0, 3.0, 5.0] { forwarder.forward([family(.counter, value)]) }
        let counter = try backend.expectCounter("a_family", [("place", "here")])
        #expect(counter.values == [3, 2])
    }

    @Test("a gauge's current value is forwarded")
    func gauge() throws {
        let forwarder = MetricsForwarder(backend)
        for value in [3.0, 1.0] { forwarder.forward([family(.gauge, value)]) }
        #expect(try backend.expectMeter("a_family", [("place", "here")]).values == [3, 1])
    }

    @Test("a distribution's count and sum are forwarded")
    func distribution() throws {
        let forwarder = MetricsForwarder(backend)
        for counts in [[1, 2], [1, 4]] {
            let sum = Double(counts[1]) * 2
            let values = MetricFamily.Distribution(bounds: [1], counts: counts, sum: sum)
            forwarder.forward([MetricFamily("times", .histogram, help: "", [.init([], values)])])
        }
        #expect(try backend.expectCounter("times_count").values == [3, 2])
        #expect(try backend.expectCounter("times_sum").values == [4, 4])
    }

    @Test("an info isn't forwarded")
    func info() {
        MetricsForwarder(backend).forward([family(.info, 1)])
        #expect(throws: (any Error).self) { try backend.expectCounter("a_family") }
    }
}
