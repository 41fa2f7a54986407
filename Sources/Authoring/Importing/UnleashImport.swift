import Behaviors
package import JSONCodec

extension ImportedBehavior {
    /// Takes what Unleash exports: the format of its export and of its state export
    /// (`featureStrategies`, `featureEnvironments`), and that of its client API (`features` with
    /// their strategies in them).
    ///
    /// As many users are let in as with Unleash, but they are others: Unleash takes MurmurHash3 modulo
    /// 100, here it is spread over 100,000 buckets.
    ///
    /// - Parameters:
    ///   - json: the export.
    ///   - environment: the environment that is taken, of an export with several.
    /// - Returns: the document, and what couldn't be taken.
    package static func unleash(_ json: JSON, environment: String? = nil) -> ImportedBehavior {
        var importer = UnleashImport(ImportPlace(json), environment)
        return importer.document()
    }
}

private struct UnleashImport {
    let export: ImportPlace
    var environment: String?
    var notes = ImportNotes()
    /// Of each segment's number its place.
    private var segments: [JSON: ImportPlace] = [:]
    /// Of each feature its strategies, where they don't stand in it.
    private var strategies: [String: [ImportPlace]] = [:]
    /// Of each feature what it is in the environment.
    private var states: [String: ImportPlace] = [:]
    /// Of each strategy's number those of its segments, where they don't stand in it.
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
            notes.error(dependency, "what hangs on another feature isn't taken")
        }
        return notes.finish(modules)
    }

    /// Whether what an export holds for several environments is for ours.
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
            notes.error(feature["name"], "expected a name; the feature isn't taken")
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
            let own = variants.split(strategy["variants"], &reader.notes)
            branches.append((rule, own ?? shared))
        }
        if list.isEmpty { branches = [(true, shared)] }
        notes = reader.notes
        var module = BehaviorModule(name: name, actions: variants.actions(branches))
        var rule = JSON.any(branches.map(\.rule))
        if let reason = reasonToClose(feature, state) {
            notes.warning(reason, "disabled: it is for nobody")
            rule = false
        }
        for place in [feature["dependencies"], feature["parents"]] where !place.elements.isEmpty {
            notes.error(place, "what hangs on another feature isn't taken; it is for nobody")
            rule = false
        }
        let isDependent = export["dependencies"].elements.contains { dependency in
            dependency["feature"].text == name || dependency["featureName"].text == name
        }
        if isDependent { rule = false }
        if rule != true { module.others["when"] = rule }
        return module
    }

    /// What says that a feature is off.
    private func reasonToClose(_ feature: ImportPlace, _ state: ImportPlace?) -> ImportPlace? {
        if let state { return state["enabled"].json == true ? nil : state["enabled"] }
        return feature["enabled"].json == false ? feature["enabled"] : nil
    }
}
