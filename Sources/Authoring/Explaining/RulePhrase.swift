import JSONCodec

/// A part of a rule in a sentence: `country == "LV"`, `version >= 2.0.0`.
///
/// A less common operation is its JSON.
enum RulePhrase {
    /// Returns the phrase of an operation.
    static func text(_ json: JSON) -> String {
        guard case .object(let object) = json, object.count == 1,
            let member = object.first(where: { _ in true })
        else { return RuleDescription.cut(json) }
        let operands = member.value.array ?? [member.value]
        switch (member.name, operands.count) {
        case ("var", _): return operand(json)
        case ("==", 2), ("===", 2), ("!=", 2), ("!==", 2), (">", 2), (">=", 2), ("<", 2),
            ("<=", 2), ("in", 2):
            return "\(operand(operands[0])) \(member.name) \(operand(operands[1]))"
        case ("<", 3), ("<=", 3):
            return operands.map(operand).joined(separator: " \(member.name) ")
        case ("starts_with", 2):
            return "\(operand(operands[0])) starts with \(operand(operands[1]))"
        case ("ends_with", 2):
            return "\(operand(operands[0])) ends with \(operand(operands[1]))"
        case ("sem_ver", 3):
            let name = operands[1].string ?? operand(operands[1])
            let version = operands[2].string ?? operand(operands[2])
            return "\(operand(operands[0])) \(name) \(version)"
        default: return RuleDescription.cut(json)
        }
    }

    /// Returns the phrase of an operand: a path, a constant, or the operation that computes it.
    static func operand(_ json: JSON) -> String {
        guard case .object(let object) = json, object.count == 1,
            let member = object.first(where: { _ in true })
        else { return RuleDescription.cut(json) }
        switch member.name {
        case "var":
            guard let path = path(member.value) else { return RuleDescription.cut(json) }
            return path.isEmpty ? "the context" : path
        case "if", "?:": return "the choice"
        case "fractional": return "the split"
        case "rollout": return "the roll-out"
        default: return RuleDescription.cut(json)
        }
    }

    /// Returns the constant path of a variable.
    private static func path(_ json: JSON) -> String? {
        switch json {
        case .string(let path): path
        case .number(let number): number.description
        case .null: ""
        case .array(let operands): operands.isEmpty ? "" : path(operands[0])
        default: nil
        }
    }
}
