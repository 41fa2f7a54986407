import JSONCodec
import Targeting

/// Converts a flag's rule, which returns the name of a variant.
struct FlagdRule {
    let key: String
    let evaluators: JSON
    private(set) var problems: [JSONTypeError] = []
    private(set) var warnings: [JSONTypeError] = []

    /// The greatest depth of rules with their evaluators.
    private static let depth = 64
    /// The most values of a rule with its evaluators.
    private static let count = 1_000
    private var room = Self.count

    init(key: String, evaluators: JSON) {
        self.key = key
        self.evaluators = evaluators
    }

    /// Returns the rule with its evaluators and the flag's key inserted.
    ///
    /// Operations that can't be evaluated become null.
    mutating func rule(_ json: JSON, at pointer: String, depth: Int) -> JSON {
        room -= 1
        guard depth < Self.depth, room > 0 else {
            refuse(pointer, "nests deeper than \(Self.depth) or has more than \(Self.count) values")
            return false
        }
        switch json {
        case .null, .bool, .number, .string: return json
        case .array(let elements):
            return .array(
                elements.enumerated().map { rule($1, at: "\(pointer)/\($0)", depth: depth + 1) }
            )
        case .object(let object):
            if object.count == 1, let name = object["$ref"] {
                guard let name = name.string, let evaluator = evaluators[name] else {
                    refuse(pointer + "/$ref", "there is no such evaluator")
                    return false
                }
                let place = "/$evaluators/" + JSONPointer.escaped(name)
                return rule(evaluator, at: place, depth: depth + 1)
            }
            if object.count == 1, let path = object["var"],
                path == "$flagd.flagKey" || path == ["$flagd.flagKey"]
            {
                return .string(key)
            }
            var result: JSON.Object = [:]
            for (name, value) in object {
                let place = pointer + "/" + JSONPointer.escaped(name)
                result[name] = rule(value, at: place, depth: depth + 1)
            }
            return sound(.object(result), at: pointer)
        }
    }

    /// The operations that flagd adds to JSONLogic.
    private static let own: Set = ["sem_ver", "fractional", "starts_with", "ends_with"]

    /// Returns an operation; null, as in flagd, for an operation of flagd's that fails for every
    /// context.
    private mutating func sound(_ operation: JSON, at pointer: String) -> JSON {
        guard let object = operation.object, object.count == 1,
            let (name, value) = object.first(where: { _ in true }),
            Self.own.contains(name), let reason = problem(of: operation),
            // The problem is in the operation itself, and not in its operands.
            (value.array ?? [value]).allSatisfy({ problem(of: Self.truth(of: $0)) == nil })
        else { return operation }
        let place = pointer + "/" + JSONPointer.escaped(name)
        if !warnings.contains(where: { $0.pointer == place }) {
            let message = "\(reason); it is null: another rule or the default variant applies"
            warnings.append(JSONTypeError(pointer: place, message: message))
        }
        return .null
    }

    private func problem(of rule: JSON) -> String? {
        do throws(TargetingError) {
            _ = try TargetingRule(rule, key: key)
            return nil
        } catch {
            return error.problems.first?.message
        }
    }

    private mutating func refuse(_ pointer: String, _ message: String) {
        guard !problems.contains(where: { $0.pointer == pointer }) else { return }
        problems.append(JSONTypeError(pointer: pointer, message: message))
    }

    /// Adapts a rule so that it returns the same result as in flagd.
    ///
    /// Here the rule belongs to an action, whose key differs from the flag's. In flagd, a default
    /// also replaces null.
    func adapted(_ rule: JSON) -> JSON {
        switch rule {
        case .null, .bool, .number, .string: return rule
        case .array(let elements): return .array(elements.map(adapted))
        case .object(let object):
            let operation = JSON.Object(object.map { ($0.name, adapted($0.value)) })
            guard object.count == 1 else { return .object(operation) }
            if let parts = operation["fractional"] { return ["fractional": keyed(parts)] }
            if let operands = operation["var"]?.array, operands.count > 1, operands[1] != .null,
                let path = operands[0].string
            {
                let variable: JSON = .variable(path)
                return ["if": [["===": [variable, .null]], operands[1], variable]]
            }
            return .object(operation)
        }
    }

    /// Inserts a key of the flag's key and the user's into a fraction without a key of its own.
    private func keyed(_ parts: JSON) -> JSON {
        guard let elements = parts.array, let first = elements.first else { return parts }
        let usual = BucketKey.text(key, .variable("targetingKey"))
        switch first {
        case .array: return .array([usual] + elements)
        case .null: return .array([usual] + elements.dropFirst())
        case .object:
            let key: JSON = ["if": [["===": [first, .null]], usual, first]]
            return .array([key] + elements.dropFirst())
        case .bool, .number, .string: return parts
        }
    }

    /// Returns the rule of a variant, made from the rule that returns the variant's name.
    static func condition(of name: String, in rule: JSON, isDefault: Bool) -> JSON {
        if case .array(let operands)? = rule["if"], (2...3).contains(operands.count) {
            let last = operands.count == 3 ? operands[2] : .null
            if let yes = isChosen(operands[1], name, isDefault),
                let no = isChosen(last, name, isDefault)
            {
                if yes == no { return .bool(yes) }
                let test = truth(of: operands[0])
                return yes ? test : .not(test)
            }
        }
        var rules: [JSON] = [.operation("===", rule, .string(name))]
        if name == "true" || name == "false" {
            rules.append(.operation("===", rule, .bool(name == "true")))
        }
        if let number = number(of: name) { rules.append(.operation("===", rule, number)) }
        if isDefault { rules.append(.operation("===", rule, .null)) }
        return .any(rules)
    }

    /// Returns the number that a name is the text of, in flagd's format.
    private static func number(of name: String) -> JSON? {
        guard let number = JSON.Number(name), text(of: number) == name else { return nil }
        return .number(number)
    }

    private static func text(of number: JSON.Number) -> String {
        number.int.map { String($0) } ?? number.double.flatMap { JSON.Number($0) }?.text
            ?? number.text
    }

    /// Whether the two are the same, byte for byte.
    static func isName(_ name: String, _ other: String?) -> Bool {
        other.map { $0.utf8.elementsEqual(name.utf8) } ?? false
    }

    /// Returns a value as a rule: unchanged if it is an operation or a Boolean.
    static func truth(of value: JSON) -> JSON {
        switch value {
        case .object, .bool: value
        case .null, .number, .string, .array: ["!!": [value]]
        }
    }

    /// Whether a constant selects a variant; nil if it is no constant.
    private static func isChosen(_ json: JSON, _ name: String, _ isDefault: Bool) -> Bool? {
        switch json {
        case .null: isDefault
        case .bool(let value): name == (value ? "true" : "false")
        case .string(let text): isName(name, text)
        case .number(let number): isName(name, text(of: number))
        case .array, .object: nil
        }
    }
}
