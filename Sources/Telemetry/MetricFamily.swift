/// Samples of one name: what an operator's collector asks for.
package struct MetricFamily: Sendable, Equatable {
    /// What the samples are (OpenMetrics 1.0, "Metric Types").
    package enum Kind: String, Sendable {
        case counter, gauge, histogram, info
    }

    /// One value, or a histogram's.
    package enum Value: Sendable, Equatable {
        case number(Double)
        case distribution(Distribution)
    }

    package struct Sample: Sendable, Equatable {
        package var labels: [Label]
        package var value: Value

        package init(_ labels: [Label], _ value: Double) {
            self.labels = labels
            self.value = .number(value)
        }

        package init(_ labels: [Label], _ value: Distribution) {
            self.labels = labels
            self.value = .distribution(value)
        }
    }

    /// How often values fell below each of some bounds.
    package struct Distribution: Sendable, Equatable {
        /// The buckets' upper bounds, ascending, without the last one's, which has none.
        package var bounds: [Double]
        /// How many values fell into each bucket: one more than bounds.
        package var counts: [Int]
        package var sum: Double

        package init(bounds: [Double], counts: [Int], sum: Double) {
            self.bounds = bounds
            self.counts = counts
            self.sum = sum
        }
    }

    package typealias Label = (name: String, value: String)

    /// Without the suffix `_total` of a counter's samples, and with its unit at its end.
    package var name: String
    package var kind: Kind
    package var unit: String?
    package var help: String
    package var samples: [Sample]

    package init(
        _ name: String,
        _ kind: Kind,
        unit: String? = nil,
        help: String,
        _ samples: [Sample]
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
        self.samples = samples
    }
}

extension MetricFamily.Sample {
    package static func == (left: Self, right: Self) -> Bool {
        left.value == right.value && left.labels.elementsEqual(right.labels, by: ==)
    }
}
