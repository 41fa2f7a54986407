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
