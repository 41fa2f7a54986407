package import HTTPSyntax

/// Metrics as text: OpenMetrics 1.0, or the format that Prometheus had before it.
package enum MetricsText: Sendable, CaseIterable {
    case openMetrics
    case prometheus

    package var mediaType: StaticString {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        }
    }

    /// The format that a client prefers by its Accept (RFC 9110 §12.5.1): OpenMetrics unless plain
    /// text has the greater weight, or if neither is accepted.
    ///
    /// Scrapers name versions, and parameters that this page's types don't have (`escaping`).
    package init(acceptedBy head: RequestHead) {
        let formats = Self.allCases
        let preferred = Accept.preferred(
            formats.map(\.mediaType),
            head,
            ignoresUnknownParameters: true
        )
        self = formats[preferred ?? 0]
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
