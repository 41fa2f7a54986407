/// The samples of one metric.
package struct MetricFamily: Sendable, Equatable {
    /// The metric's type (OpenMetrics 1.0, "Metric Types").
    package enum Kind: String, Sendable {
        case counter, gauge, histogram, info
    }

    /// A number or a histogram.
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

    /// A histogram: the number of values in each bucket.
    package struct Distribution: Sendable, Equatable {
        /// The buckets' upper limits, ascending, without the last bucket's infinity.
        package var bounds: [Double]
        /// The number of values in each bucket; one more than `bounds`.
        package var counts: [Int]
        package var sum: Double

        package init(bounds: [Double], counts: [Int], sum: Double) {
            self.bounds = bounds
            self.counts = counts
            self.sum = sum
        }
    }

    package typealias Label = (name: String, value: String)

    /// The name, ending with the unit and without the suffix `_total` of a counter's samples.
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
