import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP

/// The OpenAPI 3.1 description of a server's actions.
///
/// It follows from the actions' types alone. Clients in any language can be generated from it.
package struct OpenAPI {
    private let book = ShapeFinder()
    private var paths = JSON.Object()
    private var usesTokens = false
    private let security: Security
    /// Whether all GET actions' responses have entity tags, not only those that declare them.
    private let tagsAll: Bool
    private var names: Set<String> = []

    private init(_ security: Security, tagsAll: Bool) {
        self.security = security
        self.tagsAll = tagsAll
    }

    /// Returns the document.
    ///
    /// - Parameters:
    ///   - actions: the server's actions, in the order of the document.
    ///   - info: the API's title, version and description.
    ///   - hasBehaviors: whether the server has a behavior document.
    ///   - hasNamedBehaviors: whether the server may have other documents, too.
    ///   - security: the credentials that the server accepts.
    ///   - tagsAll: whether all GET actions' responses have entity tags, not only those that
    ///     declare them.
    /// - Returns: an OpenAPI 3.1 document.
    package static func document(
        of actions: [ExposedAction],
        info: APIInfo = APIInfo(),
        hasBehaviors: Bool,
        hasNamedBehaviors: Bool = false,
        security: Security = Security(),
        tagsAll: Bool = true
    ) -> JSON {
        var api = OpenAPI(security, tagsAll: tagsAll)
        for action in actions { api.add(action) }
        if hasBehaviors { api.addBehaviors(hasNamed: hasNamedBehaviors) }
        return api.document(info)
    }

    private func document(_ info: APIInfo) -> JSON {
        var about: JSON.Object = ["title": .string(info.title), "version": .string(info.version)]
        if let description = info.description { about["description"] = .string(description) }
        let components = OpenAPIComponents(book.shapes, of: .object(paths))
        var schemas = components.schemas
        schemas[Self.problemName] = Self.problemSchema
        limitScopes(of: "CreateToken.Input", in: &schemas)
        var parts: JSON.Object = ["schemas": .object(schemas)]
        if usesTokens { parts["securitySchemes"] = security.schemes }
        return [
            "openapi": "3.1.0", "info": .object(about), "paths": components.paths,
            "components": .object(parts),
        ]
    }

    /// Limits the scopes of a new token to those that the server accepts.
    ///
    /// They depend on the application's actions, so the type can't declare them.
    private func limitScopes(of name: String, in schemas: inout JSON.Object) {
        let scopes = security.declaredScopes.names.map(JSON.string)
        guard !scopes.isEmpty, var schema = schemas[name]?.object,
            var members = schema["properties"]?.object, var list = members["scopes"]?.object,
            var item = list["items"]?.object
        else { return }
        item["enum"] = .array(scopes)
        list["items"] = .object(item)
        members["scopes"] = .object(list)
        schema["properties"] = .object(members)
        schemas[name] = .object(schema)
    }

    // MARK: Operations

    /// The tags of the server's own operations; the application's have none.
    static let own: JSON = ["Plugboard"]

    private mutating func add(_ action: ExposedAction) {
        guard case .success(let route) = action.actionRoute else { return }
        let endpoint = action.signature.endpoint
        var operation: JSON.Object = ["operationId": .string(freeName(action.name))]
        if action.declarations.isOwn { operation["tags"] = Self.own }
        operation["summary"] = .string(endpoint?.summary ?? Self.words(action.name))
        operation["description"] = endpoint?.description.map(JSON.string)
        var refusals: [Int: [String]] = [400: ["The request can't be read."]]
        let input = OpenAPIInput(
            action.signature.input,
            route,
            endpoint,
            action.declarations,
            book
        )
        let key: [JSON] = action.declarations.needsKey ? [Self.keyParameter] : []
        var responses = OpenAPIOutput(action.signature.output, route, endpoint, book)
            .responses
        var conditions: [JSON] = []
        if action.isTagged(whereAllAre: tagsAll), action.signature.output.canBeTagged {
            OpenAPITags.add(to: &responses)
            refusals[412] = [OpenAPITags.refusal]
            // The input may declare the field as a member.
            if !route.fields.values.contains(.ifNoneMatch) { conditions = [OpenAPITags.parameter] }
        } else if action.declarations.evaluatesConditions {
            refusals[412] = [OpenAPITags.unmet]
        }
        operation["parameters"] = .array(
            input.parameters + key + conditions + [Self.timeoutParameter]
        )
        if let body = input.body {
            operation["requestBody"] = body
            refusals[413] = ["The body is too large."]
            refusals[415] = ["The body's media type isn't supported."]
        }
        if input.isChecked {
            refusals[422] = ["The input is invalid; `errors` lists the reasons."]
        }
        operation["security"] = demands(of: action.declarations, &refusals)
        if action.declarations.rateLimit != nil {
            refusals[429] = ["Too many requests; `Retry-After` says when to retry."]
        }
        if let deprecation = action.declarations.deprecation {
            operation["deprecated"] = true
            let words = Self.words(deprecation)
            operation["description"] = .string(
                endpoint?.description.map { "\($0)\n\n\(words)" } ?? words
            )
        }
        refusals[504] = ["The action timed out."]
        add(refusals, of: endpoint, to: &responses)
        operation["responses"] = .object(responses)
        let path = route.template.description
        var item = paths[path]?.object ?? JSON.Object()
        item[route.method.rawValue.lowercased()] = .object(operation)
        paths[path] = .object(item)
    }

    /// The credentials that an action needs; nil for an action without callers.
    private mutating func demands(
        of declarations: Declarations,
        _ refusals: inout [Int: [String]]
    ) -> JSON? {
        if let scopes = declarations.neededScopes {
            usesTokens = true
            refusals[401] = ["Authentication required."]
            if !scopes.isEmpty { refusals[403] = ["Forbidden."] }
            return .array(security.demands(scopes))
        }
        guard declarations.callers != nil || declarations.identifiesCallers else { return nil }
        usesTokens = true
        refusals[401] = ["The credentials were rejected."]
        // The empty requirement allows callers without credentials (OpenAPI 3.1 §4.8.30).
        return .array(security.demands([]) + [.object([:])])
    }

    /// Adds an action's rejections, and the problems that it declares.
    private func add(
        _ refusals: [Int: [String]],
        of endpoint: (any Endpoint.Type)?,
        to responses: inout JSON.Object
    ) {
        var refusals = refusals
        for problem in endpoint?.problems ?? [] {
            refusals[problem.status.code, default: []].append(
                "\(problem.title) (`\(problem.type)`)."
            )
        }
        for (status, reasons) in refusals.sorted(by: { $0.key < $1.key }) {
            let declared = (endpoint?.problems ?? []).filter { $0.status.code == status }
            responses["\(status)"] = Self.problem(
                reasons.joined(separator: " "),
                OpenAPIProblems(book, componentsIn: OpenAPIComponents.prefix).schema(
                    declared,
                    orAny: Self.anyProblem
                )
            )
        }
        responses["default"] = Self.problem("Any other error.")
    }

    private mutating func addBehaviors(hasNamed: Bool) {
        let behaviors = OpenAPIBehaviors(problem: Self.problem)
        // Known callers get their own variant; credentials are optional.
        let security: JSON? =
            security.takesAny ? .array(security.demands([]) + [.object([:])]) : nil
        if security != nil { usesTokens = true }
        paths["/behaviors.json"] = [
            "get": behaviors.standard(as: freeName("behaviors"), security)
        ]
        guard hasNamed else { return }
        paths["/behaviors/{name}.json"] = [
            "get": behaviors.named(as: freeName("namedBehaviors"), security)
        ]
    }

    private mutating func freeName(_ name: String) -> String {
        var free = name
        var number = 2
        while !names.insert(free).inserted {
            free = "\(name)_\(number)"
            number += 1
        }
        return free
    }

    /// Returns an action's name as words: "Like photo".
    private static func words(_ name: String) -> String {
        var words = ""
        for letter in name {
            if letter.isUppercase, let last = words.last, last.isLowercase {
                words += " " + letter.lowercased()
            } else {
                words.append(letter)
            }
        }
        return words
    }

    private static func words(_ deprecation: Deprecation) -> String {
        var words = "Deprecated since \(deprecation.since)."
        if let sunset = deprecation.sunset { words += " It may be removed from \(sunset) on." }
        if let link = deprecation.link { words += " See <\(link)>." }
        return words
    }

    /// The field of an action that is performed once per key: a quoted string (RFC 9651 §3.3.3) or a
    /// bare text.
    private static let keyParameter: JSON = [
        "name": "Idempotency-Key", "in": "header", "required": true,
        "description": "A key that the client chooses, quoted or bare: each key is done once.",
        "schema": [
            "type": "string",
            "pattern": #"^(?:"(?:[ !#-\[\]-~]|\\["\\]){1,255}"|[!#-+\--:<-\[\]-~]{1,255})$"#,
        ],
    ]

    /// The field for the timeout of a request, which every action has.
    private static let timeoutParameter: JSON = [
        "name": "Request-Timeout", "in": "header",
        "description": "The timeout in seconds; after it the response is 504.",
        "schema": [
            "type": "number", "exclusiveMinimum": 0, "maximum": 999_999_999_999,
            "multipleOf": 0.001,
        ],
    ]

    // MARK: Problems

    private static let problemName = "Problem"

    private static let anyProblem: JSON = ["$ref": .string(OpenAPIComponents.prefix + problemName)]

    private static func problem(_ description: String) -> JSON {
        problem(description, anyProblem)
    }

    private static func problem(_ description: String, _ schema: JSON) -> JSON {
        [
            "description": .string(description),
            "content": ["application/problem+json": ["schema": schema]],
        ]
    }

    /// The schema of problem details (RFC 9457), with the errors of an input's members.
    private static let problemSchema: JSON = [
        "type": "object",
        "description": "The error of a request (RFC 9457).",
        "required": ["type", "title", "status"],
        "properties": [
            "type": ["type": "string", "format": "uri-reference"],
            "title": ["type": "string"],
            "status": ["type": "integer", "minimum": 400, "maximum": 599],
            "detail": ["type": "string"],
            "instance": ["type": "string", "format": "uri-reference"],
            "errors": [
                "type": "array",
                "items": [
                    "type": "object", "required": ["pointer", "detail"],
                    "properties": [
                        "pointer": [
                            "type": "string", "description": "The member (RFC 6901).",
                        ],
                        "detail": ["type": "string"],
                    ],
                ],
            ],
        ],
    ]
}

/// The title, version and description of an API.
public struct APIInfo: Sendable, Hashable {
    /// The API's name.
    public var title: String
    /// The API's version, which its author chooses independently of the server's.
    public var version: String
    /// A description of the API, in CommonMark.
    public var description: String?

    /// An API with that title.
    public init(title: String = "Plugboard", version: String = "1", description: String? = nil) {
        self.title = title
        self.version = version
        self.description = description
    }
}
