import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP

/// The input and output of an exposed action, for its description and for the checks at start-up.
struct ActionSignature: Sendable {
    let action: any ActionProtocol.Type
    /// The action as an endpoint; nil if it declares no route.
    let endpoint: (any Endpoint.Type)?
    let input: InputDescription
    let output: OutputDescription

    /// The errors in the action's declaration, a sentence each; they stop the server from starting.
    func problems(_ route: ActionRoute) -> [String] {
        guard case .value(let contract) = input else {
            var problems: [String] = []
            if case .nothing = input, let name = route.template.names.first {
                problems.append(
                    "\(action.name) takes {\(name)} from \(route.method) \(route.template), but "
                        + "its input is Void. Give it an input with the member \(name)"
                )
            }
            if let endpoint, !endpoint.fields.isEmpty {
                problems.append(
                    "\(action.name) takes fields, but its input has no members for them"
                )
            }
            return problems
        }
        var problems: [String] = []
        let content = contract.content
        problems += content.shapes.problems.map { "\(action.name): \($0)" }
        if content.shapes.hasMisplacedSupply(content.shape) {
            problems.append("\(action.name) has a Caller in its input that isn't a direct member")
        }
        for caller in content.shapes.supplied(content.shape).map(\.name)
        where route.template.names.contains(caller) || route.fields[caller] != nil {
            problems.append("\(action.name) takes \(caller) from the request, but it is a Caller")
        }
        problems += pathProblems(route, content)
        let names = content.shapes.members(of: content.shape)?.map(\.name)
        for (member, field) in (endpoint?.fields ?? [:]).sorted(by: { $0.key < $1.key }) {
            if route.template.names.contains(member) {
                problems.append("\(action.name) takes {\(member)} from the path and from \(field)")
            } else if let names, !names.contains(member) {
                problems.append(
                    "\(action.name) takes \(member) from \(field), but its input has no such member"
                )
            }
        }
        for member in [route.wholeBody].compactMap(\.self) + route.queried {
            if let names, !names.contains(member) {
                problems.append("\(action.name)'s input has no member \(member)")
            }
        }
        if !route.bodyTypes.isEmpty, route.wholeBody == nil {
            problems.append("\(action.name) names types of a body, but no member is the whole body")
        }
        if !route.hasBody, route.wholeBody != nil {
            problems.append("\(action.name) takes a body, but \(route.method) has none")
        }
        return problems
    }

    /// The errors of the path's variables that aren't members of the input.
    ///
    /// The server would reject each request with a 422, since the input's own member is missing.
    private func pathProblems(
        _ route: ActionRoute,
        _ content: DecodingContract.Content
    ) -> [String] {
        let members: [Shape.Member]
        switch content.shapes.resolved(content.shape).form {
        case .object(let all, isOpen: false): members = all.filter { !$0.shape.isSupplied }
        case .scalar, .array: members = []
        // A value with any member names, or with unknown ones.
        case .object, .any, .map, .described, .component: return []
        }
        let all = content.shapes.members(of: content.shape)?.map(\.name) ?? []
        let names = members.map(\.name)
        return route.template.names.filter { !all.contains($0) }
            .map { name in
                let remedy =
                    nearestName(to: name, among: names).map { "Write {\($0)}" }
                    ?? (names.isEmpty
                        ? "Its input has no members"
                        : "Its input's members are \(names.joined(separator: ", "))")
                return "\(action.name) takes {\(name)} from \(route.method) \(route.template), but "
                    + "its input has no such member. \(remedy)"
            }
    }
}
