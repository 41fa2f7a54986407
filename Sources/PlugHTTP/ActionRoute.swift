package import HTTPTypes
package import Plug

/// Where an action is exposed: what its ``Endpoint`` says, or `POST /actions/<its name>` for one
/// without.
package struct ActionRoute: Sendable, Hashable {
    package let method: HTTPRequest.Method
    package let template: PathTemplate
    /// The members that travel in header fields.
    package let fields: [String: HTTPField.Name]
    /// The member that is the whole body; nil where the body has members.
    package let wholeBody: String?
    /// The media types that a whole body may have; none where it is JSON.
    package let bodyTypes: [String]
    /// The members that travel in the query though there is a body.
    package let queried: [String]

    /// The route of an action.
    ///
    /// - Throws: ``PathTemplate/Invalid`` where the endpoint's path is none.
    package init(_ action: any ActionProtocol.Type) throws(PathTemplate.Invalid) {
        if let endpoint = action as? any Endpoint.Type {
            try self.init(endpoint: endpoint)
        } else {
            self.init(name: action.name)
        }
    }

    /// The route of an action that is known to have an endpoint.
    package init(endpoint: any Endpoint.Type) throws(PathTemplate.Invalid) {
        method = endpoint.method
        template = try PathTemplate(endpoint.path)
        fields = endpoint.fields
        wholeBody = endpoint.wholeBody
        bodyTypes = endpoint.bodyTypes.map(\.name)
        queried = endpoint.queried
    }

    /// The route of an action that has no endpoint.
    package init(name: String) {
        method = .post
        template = PathTemplate(literals: ["actions", name])
        fields = [:]
        wholeBody = nil
        bodyTypes = []
        queried = []
    }

    /// Whether there is a body: of the members that travel nowhere else, or of one alone.
    package var hasBody: Bool { method.hasBody }

    /// Whether something travels in a query, beside a body or in place of one.
    package var hasQuery: Bool { !hasBody || wholeBody != nil || !queried.isEmpty }

    /// Whether a member that neither path nor field is travels in the query.
    package func isQueried(_ member: String) -> Bool {
        guard hasBody else { return true }
        return wholeBody.map { $0 != member } ?? queried.contains(member)
    }
}

extension HTTPRequest.Method {
    /// Whether a request of this method carries an action's input in its body.
    package var hasBody: Bool { self == .post || self == .put || self == .patch }
}

extension ActionProtocol {
    /// Tells where the thing that a call made is to be found; `endpoint` is this very type.
    ///
    /// A server asks once and keeps the answer: to find out anew for each output took 3 % of a
    /// request.
    package static func locator(as endpoint: any Endpoint.Type) -> @Sendable (Output) -> String? {
        func locator<E: Endpoint>(_ endpoint: E.Type) -> @Sendable (Output) -> String? {
            precondition(endpoint == self)
            // Of one type there is one output.
            return { endpoint.location(of: unsafeBitCast($0, to: E.Output.self)) }
        }
        return locator(endpoint)
    }
}
