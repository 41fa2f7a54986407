import Behaviors
package import JSONCodec
import Targeting

extension ImportedBehavior {
    /// Takes flagd's flag definitions: `{"flags": {…}, "$evaluators": {…}}`.
    ///
    /// A user has the variant here that they have with flagd, fractions included: they are hashed as
    /// flagd hashes them, by the flag's key and the targeting key.
    package static func flagd(_ json: JSON) -> ImportedBehavior {
        var importer = FlagdImport(evaluators: ImportPlace(json)["$evaluators"])
        return importer.document(ImportPlace(json))
    }
}

private struct FlagdImport {
    let evaluators: ImportPlace
    var notes = ImportNotes()

    init(evaluators: ImportPlace) { self.evaluators = evaluators }

    mutating func document(_ place: ImportPlace) -> ImportedBehavior {
        guard place["flags"].json.object != nil else {
            notes.error(place["flags"], "expected an object of flags")
            return notes.finish([])
        }
        notes.checkMembers(of: place, known: ["flags", "$evaluators", "$schema"], "the file")
        return notes.finish(place["flags"].members.map { module($0.name, $0.place) })
    }

    private mutating func module(_ key: String, _ flag: ImportPlace) -> BehaviorModule {
        let known: Set = ["state", "variants", "defaultVariant", "targeting"]
        notes.checkMembers(of: flag, known: known, "a flag")
        var module = BehaviorModule(name: key, actions: [])
        let variants = flag["variants"].members
        if variants.isEmpty {
            notes.error(flag["variants"], "expected an object of variants")
        }
        switch flag["state"].json {
        case "ENABLED": break
        case "DISABLED":
            notes.warning(flag["state"], "disabled: it is for nobody")
            module.others["when"] = false
        default:
            notes.error(flag["state"], "expected ENABLED or DISABLED; it is for nobody")
            module.others["when"] = false
        }
        let standard = flag["defaultVariant"].json.string
        if let standard, flag["variants"].json[standard] == nil {
            notes.error(flag["defaultVariant"], "there is no such variant; it is for nobody")
        } else if standard == nil, !flag["defaultVariant"].isAbsent {
            notes.error(flag["defaultVariant"], "expected a variant's name; it is for nobody")
        }
        let rules = rules(flag["targeting"], key, standard, variants.map(\.name))
        for (name, place) in variants {
            let rule = rules[name] ?? false
            if rule != false {
                module.actions.append(BehaviorAction(setting: place.json, when: rule))
            } else if flag["targeting"].json.object?.isEmpty ?? true {
                notes.warning(place, "no rule leads to this variant; it isn't taken")
            }
        }
        return module
    }

    /// Whom each variant is for; a rule that can't be taken is for nobody.
    private mutating func rules(
        _ targeting: ImportPlace,
        _ key: String,
        _ standard: String?,
        _ variants: [String]
    ) -> [String: JSON] {
        guard let object = targeting.json.object, !object.isEmpty else {
            if !targeting.isAbsent, targeting.json.object == nil {
                notes.error(targeting, "expected a rule; the default variant is for nobody")
                return [:]
            }
            return standard.map { [$0: true] } ?? [:]
        }
        var reader = FlagdRule(key: key, evaluators: evaluators.json)
        let rule = reader.rule(targeting.json, at: targeting.pointer, depth: 0)
        var problems = reader.problems
        if problems.isEmpty {
            do throws(TargetingError) {
                _ = try TargetingRule(rule, key: key)
            } catch {
                problems = error.problems.map {
                    JSONTypeError(pointer: targeting.pointer + $0.pointer, message: $0.message)
                }
            }
        }
        for problem in problems {
            notes.error(
                ImportPlace(.null, problem.pointer),
                "\(problem.message); the flag is for nobody"
            )
        }
        guard problems.isEmpty else { return [:] }
        return variants.reduce(into: [:]) { rules, name in
            rules[name] = FlagdRule.condition(of: name, in: rule, isDefault: name == standard)
        }
    }
}

/// Makes a rule of ours of a flag's, which gives the name of a variant.
private struct FlagdRule {
    let key: String
    let evaluators: JSON
    private(set) var problems: [JSONTypeError] = []

    /// How deep rules and the evaluators in them are followed.
    private static let depth = 64
    /// The most values that a rule may have with its evaluators in it.
    private static let count = 1_000
    private var room = Self.count

    init(key: String, evaluators: JSON) {
        self.key = key
        self.evaluators = evaluators
    }

    /// The rule with evaluators in their places, and what hangs on the flag's key told.
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
            if object.count == 1, let parts = result["fractional"] {
                result["fractional"] = keyed(parts)
            }
            return .object(result)
        }
    }

    private mutating func refuse(_ pointer: String, _ message: String) {
        guard !problems.contains(where: { $0.pointer == pointer }) else { return }
        problems.append(JSONTypeError(pointer: pointer, message: message))
    }

    /// A fraction's operands with the flag's key before them, where they have no key of their own: the
    /// rule stands at an action, whose key is another.
    private func keyed(_ parts: JSON) -> JSON {
        guard let elements = parts.array, case .array? = elements.first else { return parts }
        return .array([BucketKey.text(key, .variable("targetingKey"))] + elements)
    }

    /// Whom a variant is for, when a rule gives the variant's name.
    static func condition(of name: String, in rule: JSON, isDefault: Bool) -> JSON {
        if case .array(let operands)? = rule["if"], (2...3).contains(operands.count) {
            let last = operands.count == 3 ? operands[2] : .null
            if let yes = isChosen(operands[1], name, isDefault),
                let no = isChosen(last, name, isDefault)
            {
                if yes == no { return .bool(yes) }
                return yes ? operands[0] : .not(operands[0])
            }
        }
        var rules: [JSON] = [.operation("===", rule, .string(name))]
        if name == "true" || name == "false" {
            rules.append(.operation("===", rule, .bool(name == "true")))
        }
        if isDefault { rules.append(.operation("===", rule, .null)) }
        return .any(rules)
    }

    /// Whether a constant stands for a variant; nil where it is no constant.
    private static func isChosen(_ json: JSON, _ name: String, _ isDefault: Bool) -> Bool? {
        switch json {
        case .null: isDefault
        case .bool(let value): name == (value ? "true" : "false")
        case .string(let text): text.utf8.elementsEqual(name.utf8)
        case .number, .array, .object: nil
        }
    }
}

/// What users are told apart by, where it isn't a document's own key.
enum BucketKey {
    /// A text followed by what a context has; nothing, and so nobody's, where it has nothing there.
    static func text(_ prefix: String, _ value: JSON) -> JSON {
        ["if": [value, ["cat": [.string(prefix), value]]]]
    }
}
