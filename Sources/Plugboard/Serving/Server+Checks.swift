import BehaviorStore
import HTTPSyntax
import Plug
import PlugHTTP

extension Server {
    /// Start-up errors for unplugged actions.
    var unpluggedProblems: [String] {
        let unplugged = actions.filter { !$0.cell.isPlugged }.map(\.name)
        guard let first = unplugged.first else { return [] }
        return [
            "nothing is plugged to \(unplugged.joined(separator: ", ")): plug each before the "
                + "server runs, as in \(first).self <~ My\(first)()"
        ]
    }

    /// Start-up errors for the environment's name.
    var environmentProblems: [String] {
        DocumentKey.isName(configuration.environment)
            ? [] : ["\(configuration.environment) is not a valid environment name"]
    }

    /// Start-up errors for the allowed hosts and origins, the trusted proxies, and shared limits.
    var clientProblems: [String] {
        AllowedHosts.problems(configuration.allowedHosts)
            + AllowedOrigins.problems(configuration.allowedOrigins)
            + TrustedProxies.problems(configuration.trustedProxies)
            + (configuration.proxyProtocol && configuration.trustedProxies.isEmpty
                ? ["the PROXY protocol needs trusted proxies: name their addresses"] : [])
            + configuration.sharedLimitProblems
    }

    /// Start-up errors for the actions' types and routes.
    var contractProblems: [String] {
        let document = "GET \(BehaviorsResponse.path)"
        let others = behaviors == nil ? nil : actions.first { $0.route == document }
        // Servers that authenticate no callers have no administration.
        let own = security.takesAny && administration != .none ? Self.administration : []
        return actions.compactMap(\.streamProblem)
            + actions.problems(beside: own, isPublic: administration == .public)
            + actions.flatMap(\.signatureProblems)
            + actions.nameProblems + actions.templateProblems
            + (others.map { ["\($0.name) and the behavior document are both \(document)"] } ?? [])
    }

    /// Runs a step of the start-up; on failure, adds the error to `problems` and returns nil.
    func attempt<Value>(_ problems: inout [String], _ body: () throws -> Value?) -> Value? {
        do {
            return try body()
        } catch {
            problems.append("\(error)")
            return nil
        }
    }
}

extension ExposedAction {
    /// Conflicts between the action's types and its route.
    var signatureProblems: [String] {
        guard case .success(let route) = actionRoute else { return [] }
        let types = signature.output.problems.map { "\(name): \($0)" }
        let input = signature.problems(route)
        return input + types.filter { !input.contains($0) } + signature.declaredProblems
            + signature.outputProblems(route)
    }

    /// The conflict of a ``RequestBody`` action with variables in its path; nil if it has none.
    ///
    /// Such an action receives only the body.
    var streamProblem: String? {
        guard stream != nil, case .success(let route) = actionRoute else { return nil }
        guard let member = route.template.names.first else { return nil }
        return
            "\(name) takes a RequestBody and can't read {\(member)} of \(self.route)"
    }
}
