import BehaviorStore
import Plug
import PlugHTTP

extension Server {
    /// What keeps the server from starting of what its actions are wired to.
    var unpluggedProblems: [String] {
        let unplugged = actions.filter { !$0.cell.isPlugged }.map(\.name)
        guard let first = unplugged.first else { return [] }
        return [
            "nothing is plugged to \(unplugged.joined(separator: ", ")): plug each before the "
                + "server runs, as in \(first).self <~ My\(first)()"
        ]
    }

    /// What keeps it from starting of its environment's name.
    var environmentProblems: [String] {
        DocumentKey.isName(configuration.environment)
            ? [] : ["\(configuration.environment) is no name of an environment"]
    }

    /// What keeps it from starting of its actions' types, and of where they are.
    var contractProblems: [String] {
        let document = "GET \(BehaviorsAnswer.path)"
        let others = behaviors == nil ? nil : actions.first { $0.route == document }
        return actions.compactMap(\.streamProblem) + actions.flatMap(\.signatureProblems)
            + (others.map { ["\($0.name) and the behavior document are both \(document)"] } ?? [])
    }

    /// What a step of the start makes; nil where it fails, and why is noted.
    func attempt<Value>(_ problems: inout [String], _ body: () throws -> Value?) -> Value? {
        do {
            return try body()
        } catch {
            problems.append("\(error)")
            return nil
        }
    }
}

/// Why a server doesn't start: all reasons at once.
public struct StartError: Error, CustomStringConvertible {
    /// A sentence for each reason.
    public let problems: [String]

    /// The reasons, a line each.
    public var description: String { problems.joined(separator: "\n") }
}

extension ExposedAction {
    /// What of its types keeps it from being served where it is.
    var signatureProblems: [String] {
        guard case .success(let route) = actionRoute else { return [] }
        return signature.problems(route)
    }

    /// What keeps an action that takes a ``RequestBody`` from being served: nothing but the body
    /// reaches it.
    var streamProblem: String? {
        guard stream != nil, case .success(let route) = actionRoute else { return nil }
        guard let member = route.template.names.first else { return nil }
        return
            "\(name) takes a RequestBody, so that nothing would read {\(member)} of \(self.route)"
    }
}
