import PlugHTTP

extension [ExposedAction] {
    /// The errors of different actions with the same name.
    ///
    /// A batch finds an action by its name, so it would perform only the first of them.
    var nameProblems: [String] {
        indices.compactMap { index in
            let action = self[index]
            // The route table reports two actions of one route.
            guard let other = self[..<index].first(where: { $0.name == action.name }),
                other.route != action.route
            else { return nil }
            return "\(other.route) and \(action.route) are both named \(action.name), and batches "
                + "find an action by its name. Override the name of one of them"
        }
    }

    /// The errors of actions that have a name, or a path with other variables, of the server's own.
    ///
    /// The server's own action of the same route is replaced. Paths matter only if `own` are on the
    /// public port.
    func problems(beside own: [any Endpoint.Type], isPublic: Bool) -> [String] {
        guard !own.isEmpty else { return [] }
        let own = own.compactMap { type in
            (try? ActionRoute(endpoint: type)).map { (name: type.name, route: $0) }
        }
        let remedy = "set server.administration = .none"
        return flatMap { action in
            own.compactMap { other in
                guard let route = try? action.actionRoute.get() else { return nil }
                let isAlike = route.template.conflicts(with: other.route.template)
                let isReplaced = isAlike && route.method == other.route.method
                if action.name == other.name, !isPublic || !isReplaced {
                    return "\(action.route) is named \(action.name) as the server's own "
                        + "\(other.route.method) \(other.route.template). Override its name, or "
                        + remedy
                }
                guard isPublic, isAlike, !isReplaced,
                    route.template.names != other.route.template.names
                else { return nil }
                return "\(action.route) of \(action.name) and the server's own "
                    + "\(other.route.method) \(other.route.template) differ only in the names of "
                    + "variables. Use the same names, or \(remedy)"
            }
        }
    }

    /// The errors of paths that differ only in their variables' names.
    ///
    /// Such paths are identical, and must not both exist (OpenAPI 3.1 §4.8.8).
    var templateProblems: [String] {
        indices.compactMap { index in
            let action = self[index]
            guard let template = action.template else { return nil }
            let others = self[..<index].filter { $0.template?.conflicts(with: template) == true }
            // The route table reports two actions of one route.
            guard !others.contains(where: { $0.method == action.method }),
                let other = others.first, let names = other.template?.names,
                names != template.names
            else { return nil }
            return "\(action.route) of \(action.name) and \(other.route) of \(other.name) differ "
                + "only in the names of variables. Use the same names in both"
        }
    }
}
