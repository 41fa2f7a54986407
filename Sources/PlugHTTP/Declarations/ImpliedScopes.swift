import JSONCodec

/// The scopes that other scopes imply.
///
/// ```swift
/// server.impliedScopes = ["editor": ["photos:write", "photos:read"], "guest": []]
/// ```
/// A caller with `editor` then has all three scopes, whatever authenticated it. Implied scopes imply
/// others in turn. A scope that implies none is only declared, so that tokens can have it.
public struct ImpliedScopes: Sendable, Equatable {
    /// The directly implied scopes by name.
    private var implied: [ExactName: Scopes] = [:]

    /// Creates rules without any scope.
    public init() {}

    /// Adds scopes to those that a scope implies.
    public mutating func add(_ scopes: Scopes, to name: String) {
        let name = ExactName(text: name)
        implied[name] = Scopes((implied[name]?.names ?? []) + scopes.names)
    }

    /// Returns these rules together with others.
    package func adding(_ others: ImpliedScopes) -> ImpliedScopes {
        var all = self
        for (name, scopes) in others.implied { all.add(scopes, to: name.text) }
        return all
    }

    /// All names in the rules.
    package var names: Scopes {
        Scopes(implied.flatMap { [$0.key.text] + $0.value.names })
    }

    /// Returns the scopes together with all that they imply.
    ///
    /// Every kind of credentials passes its caller's scopes through this function once. So a
    /// comparison of scopes needs no rules.
    package func expand(_ scopes: Scopes) -> Scopes {
        guard !implied.isEmpty,
            scopes.names.contains(where: { implied[ExactName(text: $0)] != nil })
        else { return scopes }
        var known = Set(scopes.names.map(ExactName.init))
        var pending = scopes.names
        while let name = pending.popLast() {
            for other in implied[ExactName(text: name)]?.names ?? []
            where known.insert(ExactName(text: other)).inserted {
                pending.append(other)
            }
        }
        return Scopes(known.map(\.text))
    }

    /// Returns a caller with all scopes that its own imply.
    package func expand(_ caller: Caller) -> Caller {
        let scopes = expand(caller.scopes)
        return scopes == caller.scopes
            ? caller : Caller(id: caller.id, name: caller.name, scopes: scopes)
    }

    // MARK: Checking

    /// Start-up errors: invalid names and cycles, one sentence each.
    package var problems: [String] {
        let invalid = names.invalid.map {
            "impliedScopes has an invalid scope: \"\($0)\": use visible ASCII without quotes and "
                + "backslashes"
        }
        let cycle = firstCycle.map { cycle in
            "impliedScopes has a cycle: \(cycle.joined(separator: " implies ")): remove one of these "
                + "rules"
        }
        return invalid + [cycle].compactMap(\.self)
    }

    /// The first cycle in the order of the names, with its first name also at its end.
    private var firstCycle: [String]? {
        var cleared: Set<ExactName> = []
        for name in names.names {
            var path: [ExactName] = []
            if let cycle = cycle(from: ExactName(text: name), &path, &cleared) { return cycle }
        }
        return nil
    }

    /// Returns the cycle that continues a path at a name; nil if there is none.
    private func cycle(
        from name: ExactName,
        _ path: inout [ExactName],
        _ cleared: inout Set<ExactName>
    ) -> [String]? {
        guard !cleared.contains(name) else { return nil }
        if let start = path.firstIndex(of: name) {
            return path[start...].map(\.text) + [name.text]
        }
        path.append(name)
        defer { path.removeLast() }
        for other in implied[name]?.names ?? [] {
            if let cycle = cycle(from: ExactName(text: other), &path, &cleared) { return cycle }
        }
        cleared.insert(name)
        return nil
    }
}

extension ImpliedScopes: ExpressibleByDictionaryLiteral {
    /// Creates rules from scopes, each with those that it implies.
    public init(dictionaryLiteral elements: (String, Scopes)...) {
        for (name, scopes) in elements { add(scopes, to: name) }
    }
}
