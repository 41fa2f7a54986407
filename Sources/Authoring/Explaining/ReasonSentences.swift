import JSONCodec
import Targeting

/// The sentences of a rule's reason: `not in the roll-out: bucket 83.7 %, it takes those below 10 %`.
struct ReasonSentences {
    private(set) var lines: [String] = []
    private let document: ExplainedDocument

    /// The most sentences of a rule.
    private static let maximumCount = 40
    /// The most values in a sentence.
    private static let maximumReads = 10

    /// Describes the reason for a rule's value.
    init(_ reason: RuleReason, _ document: ExplainedDocument) {
        self.document = document
        if reason.operation == nil {
            lines.append("the rule is always \(reason.isTrue ? "true" : "false")")
        } else {
            describe(reason, "")
        }
    }

    /// Adds a sentence, each once; the last place is for a sentence about the others.
    private mutating func add(_ line: String) {
        let cut = "further parts of the rule are not shown"
        guard !lines.contains(line), lines.last != cut else { return }
        lines.append(lines.count < Self.maximumCount ? line : cut)
    }

    private mutating func describe(_ reason: RuleReason, _ prefix: String) {
        switch reason.operation {
        case "and", "or", "!!", "if", "?:": describeReasons(of: reason, prefix)
        case "!": describeReasons(of: reason, prefix + "negated: ")
        case "segment": describeSegment(reason, prefix)
        case "rollout": add(prefix + rollout(reason))
        case "fractional": add(prefix + split(reason))
        case nil: add(prefix + "the constant \(RuleDescription.cut(reason.value)) decides")
        default:
            add(prefix + comparison(reason))
            describeReasons(of: reason, prefix)
        }
        if reason.isCut { add(prefix + "further parts of the rule are not shown") }
    }

    /// Describes the deciding parts; a constant is described if it decides alone.
    private mutating func describeReasons(of reason: RuleReason, _ prefix: String) {
        let isAlone = reason.reasons.count == 1
        for inner in reason.reasons where inner.operation != nil || isAlone {
            describe(inner, prefix)
        }
    }

    private mutating func describeSegment(_ reason: RuleReason, _ prefix: String) {
        let name = document[reason.pointer]?["segment"].flatMap(Self.firstText) ?? ""
        let start = prefix + (reason.isTrue ? "in" : "not in") + " the segment \(name)"
        guard !reason.reasons.isEmpty else { return add(start) }
        describeReasons(of: reason, start + ": ")
    }

    private static func firstText(_ json: JSON) -> String? {
        json.string ?? json.array?.first?.string
    }

    // MARK: Sentences of one part

    private func rollout(_ reason: RuleReason) -> String {
        let operands = document[reason.pointer]?["rollout"]?.array ?? []
        let key = operands.count == 2 ? " by \(RulePhrase.operand(operands[0]))" : ""
        let start = (reason.isTrue ? "in" : "not in") + " the roll-out" + key
        guard let bucket = reason.bucket else {
            return "\(start): its key is not a text" + reads(of: reason, "; ")
        }
        guard let number = bucket.number, let share = bucket.share else {
            return "\(start): the context has no targetingKey" + reads(of: reason, "; ")
        }
        return "\(start): bucket \(Self.percent(number)), it takes those below "
            + Self.percent(share) + reads(of: reason, "; ")
    }

    private func split(_ reason: RuleReason) -> String {
        let value = RuleDescription.cut(reason.value)
        let reads = reads(of: reason, "; ")
        guard let bucket = reason.bucket else {
            return "the split is \(value): its key is not a text\(reads)"
        }
        guard let number = bucket.number else {
            return "the split is \(value): the context has no targetingKey\(reads)"
        }
        return "the split is \(value): bucket \(Self.percent(number))\(reads)"
    }

    private func comparison(_ reason: RuleReason) -> String {
        let phrase = RulePhrase.text(document[reason.pointer] ?? .null)
        if reason.operation == "var" {
            return "\(phrase) counts as \(reason.isTrue)" + reads(of: reason, ": ")
        }
        let outcome =
            switch reason.value {
            case .bool(let value): "is \(value)"
            case let value: "is \(RuleDescription.cut(value)), which counts as \(reason.isTrue)"
            }
        return "\(phrase) \(outcome)" + reads(of: reason, ": ")
    }

    /// Returns the values that a part read, after `start`; empty if it read none.
    private func reads(of reason: RuleReason, _ start: String) -> String {
        var texts = reason.parts.prefix(Self.maximumReads).map(read)
        if texts.count < reason.parts.count { texts.append("…") }
        return texts.isEmpty ? "" : start + texts.joined(separator: ", ")
    }

    private func read(_ part: RuleReason.Part) -> String {
        let value = RuleDescription.cut(part.value)
        guard let path = part.path else {
            return "\(RulePhrase.operand(document[part.pointer] ?? .null)) is \(value)"
        }
        let name = path.isEmpty ? "the context" : path
        guard part.isMissing else { return "\(name) is \(value)" }
        let missing = "the context has no \(name)"
        return part.value == .null ? missing : "\(missing), so \(value) is used"
    }

    /// Returns thousandths of a percent as a percentage with at most three decimals: `83.7 %`.
    static func percent(_ thousandths: Int) -> String {
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        guard rest > 0 else { return "\(whole) %" }
        var digits = String(1_000 + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) %"
    }
}
