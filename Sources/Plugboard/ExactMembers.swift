import HTTPCodec
import JSONCodec
import PlugHTTP

/// The members that an input has: any other in a query or a body is refused.
///
/// The server's own actions are exact, since a slip in a name isn't to be taken for a member that isn't
/// there: `?drafts=true` would go live.
struct ExactMembers: Sendable {
    /// Nil for an input that has none.
    private let contract: DecodingContract?
    private let route: ActionRoute

    /// Nil where nothing is known of an input's members.
    init?(_ input: InputDescription, _ action: any Endpoint.Type) {
        guard let route = try? ActionRoute(endpoint: action) else { return nil }
        switch input {
        case .value(let contract): self.contract = contract
        case .nothing: contract = nil
        case .body: return nil
        }
        self.route = route
    }

    /// Checks what a request has beside its path and its fields: a body that is JSON, and texts.
    ///
    /// - Throws: a ``Problem`` that names each that is unknown, with those that are known.
    func check(_ body: ByteSpan, _ text: [TextMember]) throws(Problem) {
        let texts = text.filter { $0.origin == .query }
        // What is no JSON is found where it is decoded.
        let object = body.isEmpty ? nil : (try? JSON(parsing: body))?.object
        guard !texts.isEmpty || object?.isEmpty == false else { return }
        // The input is looked at when there is something that it may not have.
        guard let members = names else { return }
        // What travels in the path or a field comes from nowhere else.
        let known = members.filter { name in
            route.fields[name] == nil && !route.template.names.contains(name)
                && name != route.wholeBody
        }
        try Self.check(texts, among: known)
        // In a batch the path's members are the body's.
        let placed = text.filter { $0.origin == .path }.map { String($0.name) }
        let own = members.filter { !placed.contains($0) }
        try Self.check(object?.map(\.0) ?? [], among: own, telling: known)
    }

    /// The names of the input's members; nil where its type doesn't tell.
    private var names: [String]? {
        guard let content = contract?.content else { return [] }
        return content.shapes.members(of: content.shape)?.map(\.name)
    }

    /// Checks what a query or a form has.
    static func check(_ texts: [TextMember], among known: [String]) throws(Problem) {
        // `patch[op]` is a part of `patch`.
        let names = texts.map { String($0.name.prefix { $0 != "[" }) }
        try check(names, among: known, telling: known)
    }

    private static func check(
        _ names: [String],
        among members: [String],
        telling known: [String]
    ) throws(Problem) {
        let unknown = names.filter { !members.contains($0) }
        guard !unknown.isEmpty else { return }
        let others = known.isEmpty ? "nothing" : known.sorted().joined(separator: ", ")
        let errors = unknown.map { name in
            JSONTypeError(
                pointer: "/" + JSONPointer.escaped(name),
                message: "unknown; known here: \(others)"
            )
        }
        throw Problem(invalid: JSONTypeErrors(errors))
    }
}
