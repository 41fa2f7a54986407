import JSONCodec
import PlugHTTP

extension ActionSignature {
    /// The errors of the fields, the statuses and the pages that the action declares for its output.
    func outputProblems(_ route: ActionRoute) -> [String] {
        guard let endpoint else { return [] }
        return fieldProblems(endpoint) + statusProblems(endpoint) + pageProblems(route)
    }

    private func fieldProblems(_ endpoint: any Endpoint.Type) -> [String] {
        guard !endpoint.responseFields.isEmpty else { return [] }
        let name = endpoint.name
        guard case .value(let type, _) = output else {
            return ["\(name) has responseFields, but its output has no members for them"]
        }
        guard let decodable = type as? any Decodable.Type else { return [] }
        let finder = ShapeFinder(isForSchema: false)
        let members = finder.members(of: decodable)
        return endpoint.responseFields.sorted { $0.key < $1.key }.compactMap { member, field in
            guard let found = members?.first(where: { $0.name.utf8.elementsEqual(member.utf8) })
            else {
                return "\(name) sends \(member) in \(field), but its output has no such member"
            }
            switch finder.shapes.resolved(found.shape).form {
            case .array, .map, .object:
                return "\(name) sends \(member) in \(field), but it isn't a text, number or Boolean"
            case .any, .described, .scalar, .component: return nil
            }
        }
    }

    private func statusProblems(_ endpoint: any Endpoint.Type) -> [String] {
        let hasBody = if case .nothing = output { false } else { true }
        switch output {
        case .nothing, .value: break
        case .body, .events, .elements:
            guard endpoint.statuses.isEmpty else {
                return ["\(endpoint.name) has statuses, but its output is a stream, which is 200"]
            }
        }
        // 204 and 205 have no content (RFC 9110 §15.3.5, §15.3.6). 206 is a part of a resource.
        return endpoint.statuses.map(\.code).compactMap { code in
            guard (200...299).contains(code), code != 206, !hasBody || code != 204 && code != 205
            else { return "\(endpoint.name) has the status \(code), which its output can't have" }
            return nil
        }
    }

    private func pageProblems(_ route: ActionRoute) -> [String] {
        guard case .value(let type, _) = output, type is any LinkedOutput.Type else { return [] }
        let remedy = "returns a Page, but its query has no member cursor. Add `var cursor: String?`"
        guard case .value(let contract) = input else { return ["\(action.name) \(remedy)"] }
        let content = contract.content
        let names = content.shapes.members(of: content.shape)?.map(\.name)
        let hasCursor =
            names?.contains(cursorMember) != false && route.isQueried(cursorMember)
            && route.fields[cursorMember] == nil && !route.template.names.contains(cursorMember)
        return hasCursor ? [] : ["\(action.name) \(remedy)"]
    }
}

extension ShapeFinder {
    /// Returns the members of a type.
    fileprivate func members<T: Decodable>(of type: T.Type) -> [Shape.Member]? {
        let shape = shape(of: type)
        return shapes.members(of: shape)
    }
}
