import JSONCodec

/// A constraint of Unleash's: a condition on a value of the context.
struct UnleashConstraint {
    /// The reason why a constraint isn't supported.
    struct Refusal: Error {
        let place: ImportPlace
        let message: String
    }

    private let place: ImportPlace

    init(_ place: ImportPlace) { self.place = place }

    /// Returns the constraint as a rule.
    func rule() throws(Refusal) -> JSON {
        let rule = try plainRule()
        return place["inverted"].json == true ? .not(rule) : rule
    }

    private func plainRule() throws(Refusal) -> JSON {
        guard let name = place["contextName"].text else {
            throw Refusal(place: place["contextName"], message: "expected a name")
        }
        guard !name.utf8.contains(UInt8(ascii: ".")) else {
            throw Refusal(place: place["contextName"], message: "a name with a dot is a path here")
        }
        let subject = UnleashStrategy.variable(name)
        let operation = place["operator"].text ?? ""
        let isCaseInsensitive = place["caseInsensitive"].json == true
        if operation.utf8.starts(with: "STR_".utf8), isCaseInsensitive {
            throw Refusal(
                place: place["caseInsensitive"],
                message: "comparisons are case-sensitive here"
            )
        }
        switch operation {
        case "IN": return UnleashStrategy.isIn(name, values)
        case "NOT_IN": return .not(UnleashStrategy.isIn(name, values))
        case "STR_STARTS_WITH":
            return .any(values.map { .operation("starts_with", subject, .string($0)) })
        case "STR_ENDS_WITH":
            return .any(values.map { .operation("ends_with", subject, .string($0)) })
        case "STR_CONTAINS":
            return .any(values.map { .operation("in", .string($0), subject) })
        case "NUM_EQ": return try compared(subject, "==")
        case "NUM_GT": return try compared(subject, ">")
        case "NUM_GTE": return try compared(subject, ">=")
        case "NUM_LT": return try compared(subject, "<")
        case "NUM_LTE": return try compared(subject, "<=")
        case "DATE_AFTER": return try dated(name, ">")
        case "DATE_BEFORE": return try dated(name, "<")
        case "SEMVER_EQ": return try version(subject, "=")
        case "SEMVER_GT": return try version(subject, ">")
        case "SEMVER_GTE": return try version(subject, ">=")
        case "SEMVER_LT": return try version(subject, "<")
        case "SEMVER_LTE": return try version(subject, "<=")
        default: throw Refusal(place: place["operator"], message: "unknown operator")
        }
    }

    private var values: [String] { place["values"].elements.compactMap(\.json.string) }

    private func compared(_ subject: JSON, _ operation: String) throws(Refusal) -> JSON {
        let value = place["value"]
        let text = value.json.string ?? value.json.double.map { _ in value.json.description } ?? ""
        guard let number = JSON.Number(text), number.double != nil else {
            throw Refusal(place: value, message: "expected a number")
        }
        // Without this, JSONLogic would compare a missing value as 0.
        return .all([
            .operation("!==", subject, .null), .operation(operation, subject, .number(number)),
        ])
    }

    private func dated(_ name: String, _ operation: String) throws(Refusal) -> JSON {
        guard name == "currentTime" else {
            throw Refusal(
                place: place["contextName"],
                message: "dates are compared with currentTime only"
            )
        }
        guard let seconds = place["value"].text.flatMap({ Timestamp.seconds($0) }) else {
            throw Refusal(place: place["value"], message: "expected a date and time (RFC 3339)")
        }
        return .operation(
            operation,
            .variable("$flagd.timestamp"),
            .number(JSON.Number(Int(seconds.rounded(.down))))
        )
    }

    private func version(_ subject: JSON, _ operation: String) throws(Refusal) -> JSON {
        guard let version = place["value"].text else {
            throw Refusal(place: place["value"], message: "expected a semantic version")
        }
        return .operation("sem_ver", subject, .string(operation), .string(version))
    }
}
