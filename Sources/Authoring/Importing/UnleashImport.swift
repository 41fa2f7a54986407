import Behaviors
package import JSONCodec

extension ImportedBehavior {
    /// Imports Unleash's export, its state export (`featureStrategies`, `featureEnvironments`) or
    /// its client API's response (`features` with their strategies).
    ///
    /// The same share of users is enabled as in Unleash, but other users: Unleash takes MurmurHash3
    /// modulo 100, Plugboard has 100,000 buckets.
    ///
    /// - Parameters:
    ///   - json: the export.
    ///   - environment: the environment to import, if the export has several.
    /// - Returns: the document and the problems found.
    package static func unleash(_ json: JSON, environment: String? = nil) -> ImportedBehavior {
        var importer = UnleashImport(ImportPlace(json), environment)
        return importer.document()
    }
}

private struct UnleashImport {
    let export: ImportPlace
    var environment: String?
    var notes = ImportNotes()
    /// The segments by number.
    private var segments: [JSON: ImportPlace] = [:]
    /// The strategies by feature, if the export lists them separately.
    private var strategies: [String: [ImportPlace]] = [:]
    /// The features' states in the environment.
    private var states: [String: ImportPlace] = [:]
    /// The segments' numbers by strategy, if the export lists them separately.
    private var strategySegments: [JSON: [ImportPlace]] = [:]

    init(_ export: ImportPlace, _ environment: String?) {
        self.export = export
        self.environment = environment
        for segment in export["segments"].elements { segments[segment["id"].json] = segment }
    }

    mutating func document() -> ImportedBehavior {
        guard export["features"].json.array != nil else {
            notes.error(export["features"], "expected an array of features")
            return notes.finish([])
        }
        notes.checkMembers(
            of: export,
            known: [
                "version", "features", "segments", "featureStrategies", "featureEnvironments",
                "featureStrategySegments", "dependencies",
            ],
            "the export"
        )
        guard chooseEnvironment() else { return notes.finish([]) }
        for strategy in export["featureStrategies"].elements where isOurs(strategy) {
            strategies[strategy["featureName"].text ?? "", default: []].append(strategy)
        }
        for link in export["featureStrategySegments"].elements {
            strategySegments[link["featureStrategyId"].json, default: []].append(link["segmentId"])
        }
        for state in export["featureEnvironments"].elements where isOurs(state) {
            states[state["featureName"].text ?? ""] = state
        }
        let modules = export["features"].elements.compactMap { module($0) }
        for dependency in export["dependencies"].elements {
            notes.error(dependency, "dependencies on other features aren't supported")
        }
        return notes.finish(modules)
    }

    /// Whether an item of the export belongs to the imported environment.
    private func isOurs(_ place: ImportPlace) -> Bool {
        guard let environment, let name = place["environment"].text else { return true }
        return name == environment
    }

    private mutating func chooseEnvironment() -> Bool {
        var names: Set<String> = []
        for place in export["featureEnvironments"].elements + export["featureStrategies"].elements {
            if let name = place["environment"].text { names.insert(name) }
        }
        if let environment {
            if names.isEmpty || names.contains(environment) { return true }
            notes.error(export["featureEnvironments"], "there is no environment \(environment)")
            return false
        }
        guard names.count > 1 else { return true }
        let list = names.sorted().joined(separator: ", ")
        notes.error(export["featureEnvironments"], "name one of the environments \(list)")
        return false
    }

    private mutating func module(_ feature: ImportPlace) -> BehaviorModule? {
        guard let name = feature["name"].text else {
            notes.error(feature["name"], "expected a name; the feature is skipped")
            return nil
        }
        let known: Set = ["name", "enabled", "strategies", "variants", "dependencies", "parents"]
        notes.checkMembers(of: feature, known: known, "a feature")
        let state = states[name]
        var reader = UnleashStrategy(feature: name, segments: segments, notes: notes)
        var branches: [(rule: JSON, variant: JSON?)] = []
        var variants = UnleashVariants(feature: name)
        let common = state.flatMap { $0["variants"].elements.isEmpty ? nil : $0["variants"] }
        let shared = variants.split(common ?? feature["variants"], &reader.notes)
        let list = feature["strategies"].elements + (strategies[name] ?? [])
        for strategy in list {
            let linked = strategySegments[strategy["id"].json] ?? []
            let rule = reader.rule(strategy, linked: strategy["id"].isAbsent ? [] : linked)
            let own = variants.split(
                strategy["variants"],
                &reader.notes,
                orElse: strategy["parameters"]["stickiness"].text
            )
            branches.append((rule, own ?? shared))
        }
        if list.isEmpty { branches = [(true, shared)] }
        if !feature["strategies"].isAbsent, feature["strategies"].json.array == nil {
            reader.notes.error(
                feature["strategies"],
                "expected an array; the flag applies to no user"
            )
            branches = [(false, shared)]
        }
        notes = reader.notes
        var module = BehaviorModule(name: name, actions: variants.actions(branches))
        var rule = JSON.any(branches.map(\.rule))
        if !isEnabled(feature, state) { rule = false }
        for place in [feature["dependencies"], feature["parents"]] where !place.elements.isEmpty {
            notes.error(
                place,
                "dependencies on other features aren't supported; it applies to no user"
            )
            rule = false
        }
        let isDependent = export["dependencies"].elements.contains { dependency in
            dependency["feature"].text == name || dependency["featureName"].text == name
        }
        if isDependent { rule = false }
        if rule != true { module.others["when"] = rule }
        return module
    }

    /// Whether a feature is enabled; if not, the findings have the reason.
    private mutating func isEnabled(_ feature: ImportPlace, _ state: ImportPlace?) -> Bool {
        let enabled = (state ?? feature)["enabled"]
        switch enabled.json {
        case .bool(true): return true
        case .bool(false): notes.warning(enabled, "disabled: it applies to no user")
        case .null where state == nil && !export["featureEnvironments"].elements.isEmpty:
            notes.warning(feature, "the environment lacks it: it applies to no user")
        default: notes.error(enabled, "expected true or false; it applies to no user")
        }
        return false
    }
}
