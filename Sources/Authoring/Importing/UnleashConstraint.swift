import JSONCodec
import Targeting

/// A constraint of Unleash's: a condition on a value of the context.
struct UnleashConstraint {
    /// The reason why a constraint isn't supported.
    struct Refusal: Error {
        let place: ImportPlace
        let message: String
    }

    private let place: ImportPlace

    init(_ place: ImportPlace) { self.place = place }

    /// Returns the constraint as a rule, and adds warnings about differences.
    func rule(_ notes: inout ImportNotes) throws(Refusal) -> JSON {
        let isInverted = try isSet(place["inverted"])
        let rule = try plainRule(&notes)
        return isInverted ? .not(rule) : rule
    }

    /// Returns a Boolean member, false if it is missing.
    private func isSet(_ place: ImportPlace) throws(Refusal) -> Bool {
        switch place.json {
        case .null: return false
        case .bool(let value): return value
        default: throw Refusal(place: place, message: "expected true or false")
        }
    }

    private func plainRule(_ notes: inout ImportNotes) throws(Refusal) -> JSON {
        guard let name = place["contextName"].text else {
            throw Refusal(place: place["contextName"], message: "expected a name")
        }
        guard !name.utf8.contains(UInt8(ascii: ".")) else {
            throw Refusal(place: place["contextName"], message: "a name with a dot is a path here")
        }
        let operation = place["operator"].text ?? ""
        if try isSet(place["caseInsensitive"]), operation.utf8.starts(with: "STR_".utf8) {
            throw Refusal(
                place: place["caseInsensitive"],
                message: "comparisons are case-sensitive here"
            )
        }
        let text = UnleashContext.text(name)
        switch operation {
        case "IN": return UnleashContext.isIn(name, try values(&notes))
        case "NOT_IN": return .not(UnleashContext.isIn(name, try values(&notes)))
        case "STR_STARTS_WITH":
            return .any(try values(&notes).map { .operation("starts_with", text, .string($0)) })
        case "STR_ENDS_WITH":
            return .any(try values(&notes).map { .operation("ends_with", text, .string($0)) })
        case "STR_CONTAINS":
            return .any(try values(&notes).map { .operation("in", .string($0), text) })
        case "NUM_EQ": return try compared(name, "==")
        case "NUM_GT": return try compared(name, ">")
        case "NUM_GTE": return try compared(name, ">=")
        case "NUM_LT": return try compared(name, "<")
        case "NUM_LTE": return try compared(name, "<=")
        case "DATE_AFTER": return try dated(name, ">")
        case "DATE_BEFORE": return try dated(name, "<")
        case "SEMVER_EQ": return try version(name, "=", &notes)
        case "SEMVER_GT": return try version(name, ">", &notes)
        case "SEMVER_GTE": return try version(name, ">=", &notes)
        case "SEMVER_LT": return try version(name, "<", &notes)
        case "SEMVER_LTE": return try version(name, "<=", &notes)
        default: throw Refusal(place: place["operator"], message: "unknown operator")
        }
    }

    /// Returns the values to compare with.
    ///
    /// Unleash's clients disagree about empty values and surrounding spaces. Its Node client
    /// ignores both, and so does the rule.
    private func values(_ notes: inout ImportNotes) throws(Refusal) -> [String] {
        let list = place["values"]
        guard list.isAbsent || list.json.array != nil else {
            throw Refusal(place: list, message: "expected an array of texts")
        }
        var values: [String] = []
        for element in list.elements {
            guard let text = element.json.string else {
                throw Refusal(place: element, message: "expected a text")
            }
            let trimmed = text.trimmed
            if trimmed.isEmpty {
                notes.warning(element, "an empty value is ignored, as in Unleash's Node client")
            } else if trimmed.utf8.count < text.utf8.count {
                notes.warning(
                    element,
                    "surrounding spaces are ignored, as in Unleash's Node client"
                )
            }
            if !trimmed.isEmpty { values.append(trimmed) }
        }
        return values
    }

    /// Compares a value that is a number, or the text of a decimal number.
    ///
    /// JSONLogic converts other values, too: `""`, `" "` and null are 0, `true` is 1, `"0x10"` is
    /// 16. Its `+` reads decimal digits only, so the results differ for such values.
    private func compared(_ name: String, _ operation: String) throws(Refusal) -> JSON {
        let value = place["value"]
        let text = value.json.string ?? value.json.double.map { _ in value.json.description } ?? ""
        guard let number = JSON.Number(text), number.double != nil else {
            throw Refusal(place: value, message: "expected a number")
        }
        let subject = UnleashContext.value(name)
        return .all([
            .operation("==", subject, .operation("+", subject)),
            .operation(operation, subject, .number(number)),
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

    private func version(
        _ name: String,
        _ operation: String,
        _ notes: inout ImportNotes
    ) throws(Refusal) -> JSON {
        guard let version = place["value"].text, Self.isComplete(version) else {
            throw Refusal(
                place: place["value"],
                message: "expected a complete semantic version such as 1.4.0"
            )
        }
        notes.warnOnce(
            place["operator"],
            "users with a version such as 1.4 or v1.4.0 match here, as 1.4.0; in Unleash they "
                + "don't"
        )
        return .operation(
            "sem_ver",
            UnleashContext.value(name),
            .string(operation),
            .string(version)
        )
    }

    /// Whether Unleash accepts a version: with three numbers and without a leading `v`.
    private static func isComplete(_ text: String) -> Bool {
        let core = text.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
        return SemanticVersion(text) != nil
            && core.count { $0 == UInt8(ascii: ".") } == 2
            && core.first.map { $0 | 0x20 != UInt8(ascii: "v") } == true
    }
}

extension String {
    /// The text without surrounding white space.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
