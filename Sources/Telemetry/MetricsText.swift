package import HTTPSyntax

/// The text formats of metrics: OpenMetrics 1.0, or the older Prometheus format.
package enum MetricsText: Sendable, CaseIterable {
    case prometheus
    case openMetrics

    package var mediaType: StaticString {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        }
    }

    /// Selects the format that the client prefers (RFC 9110 §12.5.1).
    ///
    /// The default is the Prometheus format, which all tools read, such as `promtool check metrics`.
    /// OpenMetrics needs a greater weight. Unknown parameters are ignored, since scrapers send some
    /// (`escaping`).
    package init(acceptedBy head: RequestHead) {
        let formats = Self.allCases
        let preferred = Accept.preferred(
            formats.map(\.mediaType),
            head,
            ignoresUnknownParameters: true
        )
        self = formats[preferred ?? 0]
    }

    /// Renders the families in order.
    package func render(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty { render(family, &text) }
        if self == .openMetrics { text += "# EOF\n" }
        return text
    }

    private func render(_ family: MetricFamily, _ text: inout String) {
        let counter = family.kind == .counter ? family.name + "_total" : family.name
        let info = family.kind == .info ? family.name + "_info" : counter
        // The Prometheus format names a family like its samples, and has no info type.
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

    /// Renders a histogram's samples; each bucket counts all values up to its limit.
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

    /// Escapes line feeds and quotes, which would end the line or the value.
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

    /// Formats a number without loss, and whole numbers without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
        return value.description
    }
}

extension MetricsText {
    /// Converts a label to a name valid in both formats: letters, digits, `_` and `:`, without a
    /// leading digit.
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

    /// Converts a name to a label name, which has no colons.
    package static func labelName(_ label: String) -> String {
        name(label).replacing(":", with: "_")
    }
}
