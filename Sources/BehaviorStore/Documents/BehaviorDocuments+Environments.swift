import JSONCodec

/// An environment with its rules.
package struct KnownEnvironment: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The rules; the default ones if it has none of its own.
    package var rules = EnvironmentRules()
    /// The number of its documents.
    package var documents = 0
    /// Whether this server serves it.
    package var isServed = false
}

extension BehaviorDocuments {
    /// Returns the rules of an environment.
    package func rules(of environment: String) async throws -> EnvironmentRules {
        try await ownRules(of: environment) ?? EnvironmentRules()
    }

    /// Returns the rules of an environment; nil if it has none of its own.
    private func ownRules(of environment: String) async throws -> EnvironmentRules? {
        try await backend.records(.rules, environment: environment, name: "").first
            .map(Self.rules)
    }

    private static func rules(_ record: StoredRecord) throws -> EnvironmentRules {
        guard let rules = try? JSON.decode(EnvironmentRules.self, from: record.value.utf8) else {
            throw BehaviorStoreError.unavailable(
                "the rules of \(record.key.environment) can't be read"
            )
        }
        return rules
    }

    /// Returns all environments by name: the served one, those with documents, and those with
    /// rules.
    package func environments() async throws -> [KnownEnvironment] {
        var known = [environment: KnownEnvironment(name: environment, isServed: true)]
        for record in try await backend.records(.rules, environment: nil, name: nil) {
            let name = record.key.environment
            known[name, default: KnownEnvironment(name: name)].rules = try Self.rules(record)
        }
        for name in try await backend.documents().map(\.key.environment) {
            known[name, default: KnownEnvironment(name: name)].documents += 1
        }
        return known.values.sorted { $0.name < $1.name }
    }

    /// Returns an environment that exists.
    ///
    /// - Throws: ``BehaviorStoreError/noEnvironment(_:among:canCreate:)``.
    package func knownEnvironment(_ name: String) async throws -> KnownEnvironment {
        let all = try await environments()
        guard let known = all.first(where: { $0.name == name }) else {
            throw BehaviorStoreError.noEnvironment(
                name,
                among: all.map(\.name),
                canCreate: false
            )
        }
        return known
    }

    /// Checks that an environment exists.
    ///
    /// - Throws: ``BehaviorStoreError/noEnvironment(_:among:canCreate:)``; with `canCreate` its
    ///   remedy names the option that creates one.
    package func checkExists(_ name: String, canCreate: Bool = false) async throws {
        if name == environment { return }
        let names = try await environments().map(\.name)
        guard !names.contains(name) else { return }
        throw BehaviorStoreError.noEnvironment(name, among: names, canCreate: canCreate)
    }

    /// Returns the error for a missing document: its environment may be missing, too.
    func missing(_ key: DocumentKey) async throws -> BehaviorStoreError {
        try await checkExists(key.environment)
        return .noDocument(key)
    }

    /// Sets the rules of an environment; without `mayCreate` the environment must exist.
    ///
    /// - Throws: ``BehaviorStoreError`` if the rules are invalid.
    package func set(
        _ rules: EnvironmentRules,
        of environment: String,
        mayCreate: Bool = true,
        by author: Author
    ) async throws {
        try rules.check()
        guard DocumentKey.isName(environment) else { throw BehaviorStoreError.noName(environment) }
        try await change(by: author) { [self] pending in
            if !mayCreate { try await checkExists(environment, canCreate: true) }
            let before = try await ownRules(of: environment)
            guard before != rules else { return }
            // An environment that exists already needs no rules for the default.
            if before == nil, rules == EnvironmentRules() {
                let isKnown = try await environments().contains { $0.name == environment }
                guard !isKnown else { return }
            }
            try await declare(environment, rules, in: &pending)
        }
    }

    /// Adds the row that gives an environment its rules, which makes it exist.
    ///
    /// A renamed environment needs no room of its own: its old name's rules go.
    func declare(
        _ environment: String,
        _ rules: EnvironmentRules = EnvironmentRules(),
        isRenamed: Bool = false,
        in pending: inout PendingChange
    ) async throws {
        let before = try await ownRules(of: environment)
        if before == nil, !isRenamed { try await checkRoomForRules() }
        try pending.note(
            .rules,
            environment: environment,
            name: "",
            from: try JSON(encoding: before ?? EnvironmentRules()),
            to: try JSON(encoding: rules)
        )
    }

    private func checkRoomForRules() async throws {
        let known = try await backend.recordCount(.rules)
        guard known < StoreLimits.maximumDocumentCount else {
            throw BehaviorStoreError.conflict(
                "a store has rules of \(StoreLimits.maximumDocumentCount) environments at most"
            )
        }
    }

    /// Removes an environment without documents and overrides.
    ///
    /// - Throws: ``BehaviorStoreError``, a conflict if it isn't empty or is served.
    package func removeEnvironment(_ name: String, by author: Author) async throws {
        try await change(by: author) { [self] pending in
            _ = try await removeEmpty(name, in: &pending)
        }
    }

    /// Renames an environment without documents and overrides; its rules stay.
    ///
    /// - Throws: ``BehaviorStoreError``, a conflict if it isn't empty or is served, or if the new
    ///   name exists.
    package func renameEnvironment(
        _ name: String,
        to other: String,
        by author: Author
    ) async throws -> KnownEnvironment {
        guard DocumentKey.isName(other) else { throw BehaviorStoreError.noName(other) }
        return try await change(by: author) { [self] pending in
            let rules = try await removeEmpty(name, in: &pending)
            guard try await !environments().contains(where: { $0.name == other }) else {
                throw BehaviorStoreError.conflict("there is an environment \(other) already")
            }
            try await declare(other, rules, isRenamed: true, in: &pending)
            return KnownEnvironment(name: other, rules: rules)
        }
    }

    /// Adds the row that removes an empty environment; returns its rules.
    private func removeEmpty(
        _ name: String,
        in pending: inout PendingChange
    ) async throws -> EnvironmentRules {
        let known = try await knownEnvironment(name)
        guard !known.isServed else {
            throw BehaviorStoreError.conflict(
                "this server serves \(name): start it with another --environment first"
            )
        }
        guard known.documents == 0 else {
            throw BehaviorStoreError.conflict(
                "\(name) has \(known.documents == 1 ? "a document" : "\(known.documents) documents"): "
                    + "only an empty environment can be renamed or removed"
            )
        }
        let overrides = try await backend.records(.override, environment: name, name: nil)
        if let first = overrides.first {
            throw BehaviorStoreError.conflict(
                "\(name) has overrides of \(first.key.name): remove them first"
            )
        }
        try pending.note(
            .rules,
            environment: name,
            name: "",
            from: try JSON(encoding: known.rules),
            to: nil
        )
        return known.rules
    }
}
