package import HTTPTypes
package import Plug

/// An action's method and path: those of its ``Endpoint``, or `POST /actions/<name>` without one.
package struct ActionRoute: Sendable, Hashable {
    package let method: HTTPRequest.Method
    package let template: PathTemplate
    /// The members that are sent in header fields.
    package let fields: [String: HTTPField.Name]
    /// The member that is the whole body; nil if the body has members.
    package let wholeBody: String?
    /// The media types that a whole body may have; empty for JSON.
    package let bodyTypes: [String]
    /// The members that are sent in the query, even though the method has a body.
    package let queried: [String]

    /// Creates the route of an action.
    ///
    /// - Throws: ``PathTemplate/Invalid`` if the endpoint's path is invalid.
    package init(_ action: any ActionProtocol.Type) throws(PathTemplate.Invalid) {
        if let endpoint = action as? any Endpoint.Type {
            try self.init(endpoint: endpoint)
        } else {
            self.init(name: action.name)
        }
    }

    /// Creates the route of an endpoint.
    package init(endpoint: any Endpoint.Type) throws(PathTemplate.Invalid) {
        method = endpoint.method
        template = try PathTemplate(endpoint.path)
        fields = endpoint.fields
        wholeBody = endpoint.wholeBody
        bodyTypes = endpoint.bodyTypes.map(\.name)
        queried = endpoint.queried
    }

    /// The key of an OpenAPI parameter or request body that names the input's member it carries.
    package static let memberKey = "x-plugboard-member"

    /// Creates the route of an action that another server describes.
    package init(
        method: HTTPRequest.Method,
        template: PathTemplate,
        fields: [String: HTTPField.Name],
        wholeBody: String?,
        bodyTypes: [String],
        queried: [String]
    ) {
        self.method = method
        self.template = template
        self.fields = fields
        self.wholeBody = wholeBody
        self.bodyTypes = bodyTypes
        self.queried = queried
    }

    /// Creates the route of an action without an endpoint.
    package init(name: String) {
        method = .post
        template = PathTemplate(literals: ["actions", name])
        fields = [:]
        wholeBody = nil
        bodyTypes = []
        queried = []
    }

    /// Whether requests have a body.
    package var hasBody: Bool { method.hasBody }

    /// Whether requests may have a query, with or without a body.
    package var hasQuery: Bool { !hasBody || wholeBody != nil || !queried.isEmpty }

    /// Returns whether a member that isn't in the path or a field is sent in the query.
    package func isQueried(_ member: String) -> Bool {
        guard hasBody else { return true }
        return wholeBody.map { $0 != member } ?? queried.contains(member)
    }
}

extension HTTPRequest.Method {
    /// Whether requests of this method send an action's input in the body.
    package var hasBody: Bool { self == .post || self == .put || self == .patch }
}

extension ActionProtocol {
    /// Returns a function that locates the resource that a call created; `endpoint` is this type.
    ///
    /// The server stores it at its start: looking it up for each output took 3 % of a request.
    package static func locator(as endpoint: any Endpoint.Type) -> @Sendable (Output) -> String? {
        func locator<E: Endpoint>(_ endpoint: E.Type) -> @Sendable (Output) -> String? {
            precondition(endpoint == self)
            // Safe: a type has only one output type.
            return { endpoint.location(of: unsafeBitCast($0, to: E.Output.self)) }
        }
        return locator(endpoint)
    }

    /// Returns a function that reads an output's status; `endpoint` is this type.
    package static func statusReader(
        as endpoint: any Endpoint.Type
    ) -> @Sendable (Output) -> HTTPResponse.Status {
        func reader<E: Endpoint>(
            _ endpoint: E.Type
        ) -> @Sendable (Output) -> HTTPResponse.Status {
            precondition(endpoint == self)
            // Safe: a type has only one output type.
            return { endpoint.status(of: unsafeBitCast($0, to: E.Output.self)) }
        }
        return reader(endpoint)
    }
}
