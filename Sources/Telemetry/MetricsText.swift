/// Metrics as text: OpenMetrics 1.0, or the format that Prometheus had before it.
package enum MetricsText: Sendable {
    case openMetrics
    case prometheus

    package var mediaType: String {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        }
    }

    /// What a client asks for with the lines of its `Accept` (RFC 9110 §12.5.1): OpenMetrics, unless it
    /// likes plain text better.
    ///
    /// Parameters of a range are passed over: they are versions, of which the page's is one.
    package init(accepting accept: [String]) {
        var (open, plain) = (Claim(), Claim())
        for range in accept.joined(separator: ",").lowercased().split(separator: ",") {
            let parts = range.split(separator: ";").map(Self.trimmed)
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
            let weight = quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            switch parts.first {
            case "application/openmetrics-text": open.take(weight, precision: 3)
            case "application/*": open.take(weight, precision: 2)
            case "text/plain": plain.take(weight, precision: 3)
            case "text/*": plain.take(weight, precision: 2)
            case "*/*":
                open.take(weight, precision: 1)
                plain.take(weight, precision: 1)
            default: break
            }
        }
        self = plain.weight > open.weight ? .prometheus : .openMetrics
    }

    /// What the most precise range says of a type.
    private struct Claim {
        var weight = 0.0
        private var precision = 0

        mutating func take(_ weight: Double, precision: Int) {
            guard precision >= self.precision else { return }
            self.weight = precision == self.precision ? max(self.weight, weight) : weight
            self.precision = precision
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    /// Renders families, in their order.
    package func render(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty { render(family, &text) }
        if self == .openMetrics { text += "# EOF\n" }
        return text
    }

    private func render(_ family: MetricFamily, _ text: inout String) {
        let counter = family.kind == .counter ? family.name + "_total" : family.name
        let info = family.kind == .info ? family.name + "_info" : counter
        // Before OpenMetrics a family had its samples' name, and there were no infos.
        let name = self == .openMetrics ? family.name : info
        let kind: MetricFamily.Kind =
            self == .prometheus && family.kind == .info ? .gauge : family.kind
        text += "# HELP \(name) \(Self.escaped(family.help, quotes: self == .openMetrics))\n"
        text += "# TYPE \(name) \(kind.rawValue)\n"
        if self == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit)\n" }
        for sample in family.samples {
            switch sample.value {
            case .number(let value):
                text += "\(info)\(Self.labels(sample.labels)) \(Self.number(value))\n"
            case .distribution(let values):
                Self.render(values, family.name, sample.labels, &text)
            }
        }
    }

    /// A histogram's samples: its buckets count all values up to their bound.
    private static func render(
        _ values: MetricFamily.Distribution,
        _ name: String,
        _ labels: [MetricFamily.Label],
        _ text: inout String
    ) {
        var total = 0
        for (index, count) in values.counts.enumerated() {
            total += count
            let bound = index < values.bounds.count ? number(values.bounds[index]) : "+Inf"
            text += "\(name)_bucket\(Self.labels(labels + [("le", bound)])) \(total)\n"
        }
        text += "\(name)_count\(Self.labels(labels)) \(total)\n"
        text += "\(name)_sum\(Self.labels(labels)) \(number(values.sum))\n"
    }

    private static func labels(_ labels: [MetricFamily.Label]) -> String {
        guard !labels.isEmpty else { return "" }
        let parts = labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
        return "{" + parts.joined(separator: ",") + "}"
    }

    /// A line feed would end the line, a quote the value.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += #"\\"#
            case "\n": escaped += #"\n"#
            case "\"" where quotes: escaped += #"\""#
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Whole numbers without a fraction; the others so that they read back the same.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
        return value.description
    }
}

extension MetricsText {
    /// A name that both formats allow: letters, digits, `_` and `:`, no digit first.
    package static func name(_ label: String) -> String {
        var name = ""
        for character in label.unicodeScalars {
            switch character {
            case "a"..."z", "A"..."Z", "_", ":": name.unicodeScalars.append(character)
            case "0"..."9":
                if name.isEmpty { name += "_" }
                name.unicodeScalars.append(character)
            default: name += "_"
            }
        }
        return name.isEmpty ? "_" : name
    }

    /// A label's name: as a metric's, without colons.
    package static func labelName(_ label: String) -> String {
        name(label).replacing(":", with: "_")
    }
}
