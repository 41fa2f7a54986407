import HTTPSyntax
import JSONCodec
import PlugHTTP

/// The known members of an input.
///
/// Any other in a query or a body is rejected.
///
/// The server's own actions are exact, since a misspelled name would otherwise count as missing:
/// `?drafts=true` would publish.
struct ExactMembers: Sendable {
    /// Nil for an action without an input.
    private let contract: DecodingContract?
    private let route: ActionRoute

    /// Nil if the input's members are unknown.
    init?(_ input: InputDescription, _ action: any Endpoint.Type) {
        guard let route = try? ActionRoute(endpoint: action) else { return nil }
        switch input {
        case .value(let contract): self.contract = contract
        case .nothing: contract = nil
        case .body: return nil
        }
        self.route = route
    }

    /// Checks a request's members other than those in its path and its fields: a JSON body and
    /// texts.
    ///
    /// A whole body, as in a batch, also contains the members that are otherwise in the path and in
    /// fields.
    ///
    /// - Throws: a ``Problem`` with each unknown member, and the known ones.
    func check(_ body: ByteSpan, _ text: [TextMember], isWhole: Bool) throws(Problem) {
        let texts = text.filter { $0.origin == .query }
        // Decoding reports invalid JSON.
        let object = body.isEmpty ? nil : (try? JSON(parsing: body))?.object
        guard !texts.isEmpty || object?.isEmpty == false else { return }
        // The input's type is inspected only if there are members to check.
        guard let members = names else { return }
        // Members of the path or a field have no other source.
        let known = members.filter { name in
            route.fields[name] == nil && !route.template.names.contains(name)
                && name != route.wholeBody
        }
        try Self.check(texts, among: known)
        let names = object?.map(\.0) ?? []
        let own = isWhole ? members : known + [route.wholeBody].compactMap(\.self)
        try Self.check(names, among: own, explainingErrors: known)
        let twice = names.filter { name in texts.contains { $0.name == name } }
        guard twice.isEmpty else {
            throw Self.problem(of: twice, "given in the query, too")
        }
    }

    /// The names of the input's members; nil if its type doesn't reveal them.
    private var names: [String]? {
        guard let content = contract?.content else { return [] }
        return content.shapes.members(of: content.shape)?.map(\.name)
    }

    /// Checks the members of a query or a form.
    static func check(_ texts: [TextMember], among known: [String]) throws(Problem) {
        // `patch[op]` is a part of `patch`.
        let names = texts.map { String($0.name.prefix { $0 != "[" }) }
        try check(names, among: known, explainingErrors: known)
    }

    private static func check(
        _ names: [String],
        among members: [String],
        explainingErrors known: [String]
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
