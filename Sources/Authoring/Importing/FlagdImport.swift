import Behaviors
package import JSONCodec
import Targeting

extension ImportedBehavior {
    /// Imports flagd's flag definitions: `{"flags": {…}, "$evaluators": {…}}`.
    ///
    /// A user gets the same variant as with flagd, fractions included. Both hash the flag's key and
    /// the targeting key, as flagd's evaluators did until October 2026 (`flagd-core` 1).
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
            notes.warning(flag["state"], "disabled: it applies to no user")
            module.others["when"] = false
        default:
            notes.error(flag["state"], "expected ENABLED or DISABLED; it applies to no user")
            module.others["when"] = false
        }
        let standard = flag["defaultVariant"].json.string
        if let standard, flag["variants"].json[standard] == nil {
            notes.error(flag["defaultVariant"], "there is no such variant; it applies to no user")
        } else if standard == nil, !flag["defaultVariant"].isAbsent {
            notes.error(flag["defaultVariant"], "expected a variant's name; it applies to no user")
        }
        let rules = rules(flag["targeting"], key, standard, variants.map(\.name))
        for ((_, place), rule) in zip(variants, rules) {
            if rule != false {
                module.actions.append(BehaviorAction(setting: place.json, when: rule))
            } else if flag["targeting"].json.object?.isEmpty ?? true {
                notes.warning(place, "no rule selects this variant; it is skipped")
            }
        }
        return module
    }

    /// Returns each variant's rule; if a rule can't be imported, the variant applies to no user.
    private mutating func rules(
        _ targeting: ImportPlace,
        _ key: String,
        _ standard: String?,
        _ variants: [String]
    ) -> [JSON] {
        let nobody = variants.map { _ in false as JSON }
        guard let object = targeting.json.object, !object.isEmpty else {
            if !targeting.isAbsent, targeting.json.object == nil {
                notes.error(targeting, "expected a rule; the default variant applies to no user")
                return nobody
            }
            return variants.map { .bool(FlagdRule.isName($0, standard)) }
        }
        var reader = FlagdRule(key: key, evaluators: evaluators.json)
        let rule = reader.rule(targeting.json, at: targeting.pointer, depth: 0)
        for warning in reader.warnings {
            notes.warning(ImportPlace(.null, warning.pointer), warning.message)
        }
        var problems = reader.problems
        if problems.isEmpty {
            do throws(TargetingError) {
                _ = try TargetingRule(FlagdRule.truth(of: rule), key: key)
            } catch {
                problems = error.problems.map {
                    JSONTypeError(pointer: targeting.pointer + $0.pointer, message: $0.message)
                }
            }
        }
        for problem in problems {
            notes.error(
                ImportPlace(.null, problem.pointer),
                "\(problem.message); the flag applies to no user"
            )
        }
        guard problems.isEmpty else { return nobody }
        let adapted = reader.adapted(rule)
        return variants.map { name in
            FlagdRule.condition(
                of: name,
                in: adapted,
                isDefault: FlagdRule.isName(name, standard)
            )
        }
    }
}
