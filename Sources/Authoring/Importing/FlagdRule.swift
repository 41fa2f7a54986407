import JSONCodec
import Targeting

/// Makes a rule of ours of a flag's, which gives the name of a variant.
struct FlagdRule {
    let key: String
    let evaluators: JSON
    private(set) var problems: [JSONTypeError] = []
    private(set) var warnings: [JSONTypeError] = []

    /// How deep rules and the evaluators in them are followed.
    private static let depth = 64
    /// The most values that a rule may have with its evaluators in it.
    private static let count = 1_000
    private var room = Self.count

    init(key: String, evaluators: JSON) {
        self.key = key
        self.evaluators = evaluators
    }

    /// The rule with evaluators and the flag's key in their places, and with null for what can't be
    /// evaluated.
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

    /// The operations that are flagd's own.
    private static let own: Set = ["sem_ver", "fractional", "starts_with", "ends_with"]

    /// An operation; null, as with flagd, for one of its own that can't be evaluated, whatever the context.
    private mutating func sound(_ operation: JSON, at pointer: String) -> JSON {
        guard let object = operation.object, object.count == 1,
            let (name, value) = object.first(where: { _ in true }),
            Self.own.contains(name), let reason = problem(of: operation),
            // What is wrong is its own, and not of what stands in it.
            (value.array ?? [value]).allSatisfy({ problem(of: Self.truth(of: $0)) == nil })
        else { return operation }
        let place = pointer + "/" + JSONPointer.escaped(name)
        if !warnings.contains(where: { $0.pointer == place }) {
            let message = "\(reason); it is null: another rule counts, or the default variant"
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

    /// The rule as it gives here what it gives with flagd.
    ///
    /// It stands at an action, whose key is another than the flag's; and a default is taken there for what
    /// is null, too.
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

    /// A fraction's operands with the flag's key before the user's, where they have no key of their own.
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

    /// Whom a variant is for, when a rule gives the variant's name.
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

    /// The number whose text a name is, as flagd writes it.
    private static func number(of name: String) -> JSON? {
        guard let number = JSON.Number(name), text(of: number) == name else { return nil }
        return .number(number)
    }

    private static func text(of number: JSON.Number) -> String {
        number.int.map { String($0) } ?? number.double.flatMap { JSON.Number($0) }?.text
            ?? number.text
    }

    /// Whether they are the same, byte by byte.
    static func isName(_ name: String, _ other: String?) -> Bool {
        other.map { $0.utf8.elementsEqual(name.utf8) } ?? false
    }

    /// A value as a rule, which it is where it is an operation or a truth.
    static func truth(of value: JSON) -> JSON {
        switch value {
        case .object, .bool: value
        case .null, .number, .string, .array: ["!!": [value]]
        }
    }

    /// Whether a constant stands for a variant; nil where it is no constant.
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
