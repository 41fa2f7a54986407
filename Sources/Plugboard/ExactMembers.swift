import HTTPSyntax
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
    /// A body that is whole, as in a batch, has the members that travel in the path and in fields, too.
    ///
    /// - Throws: a ``Problem`` that names each that is unknown, with those that are known.
    func check(_ body: ByteSpan, _ text: [TextMember], isWhole: Bool) throws(Problem) {
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
        let names = object?.map(\.0) ?? []
        let own = isWhole ? members : known + [route.wholeBody].compactMap(\.self)
        try Self.check(names, among: own, telling: known)
        let twice = names.filter { name in texts.contains { $0.name == name } }
        guard twice.isEmpty else {
            throw Self.problem(of: twice, "given in the query, too")
        }
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
        throw problem(of: unknown, "unknown; known here: \(others)")
    }

    private static func problem(of names: [String], _ message: String) -> Problem {
        let errors = names.map { name in
            JSONTypeError(pointer: "/" + JSONPointer.escaped(name), message: message)
        }
        return Problem(invalid: JSONTypeErrors(errors))
    }
}
