import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP

/// The description of a server's actions in OpenAPI 3.1.
///
/// All of it follows from the actions' types. Clients of any language can be generated from it.
package struct OpenAPI {
    private let book = ShapeBook()
    private var paths = JSON.Object()
    private var usesTokens = false
    private let security: Security
    /// Whether all GET actions' answers have entity tags, and not only those that say so.
    private let tagsAll: Bool
    private var names: Set<String> = []

    static let prefix = "#/components/schemas/"

    private init(_ security: Security, tagsAll: Bool) {
        self.security = security
        self.tagsAll = tagsAll
    }

    /// The document.
    ///
    /// - Parameters:
    ///   - actions: what the server exposes, in the order in which it is to be shown.
    ///   - info: what the API is called.
    ///   - hasBehaviors: whether there is a behavior document, too.
    ///   - hasNamedBehaviors: whether there may be others beside it.
    ///   - security: how callers show who they are.
    ///   - tagsAll: whether all GET actions' answers have entity tags, and not only those that say so.
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
        var schemas = JSON.Object()
        let used = usedSchemas()
        for component in book.shapes.components {
            schemas[component.name] = used[component.name]
        }
        schemas[Self.problemName] = Self.problemSchema
        var components: JSON.Object = ["schemas": .object(schemas)]
        if usesTokens {
            components["securitySchemes"] = security.schemes
        }
        return [
            "openapi": "3.1.0", "info": .object(about), "paths": .object(paths),
            "components": .object(components),
        ]
    }

    /// The schemas that operations refer to, directly or through others: an input that is all
    /// parameters is none of them.
    private func usedSchemas() -> [String: JSON] {
        var used: [String: JSON] = [:]
        func search(_ value: JSON) {
            for part in value.array ?? [] { search(part) }
            for (name, part) in value.object ?? JSON.Object() {
                search(part)
                guard name == "$ref", let path = part.string, path.hasPrefix(Self.prefix) else {
                    continue
                }
                let target = String(path.dropFirst(Self.prefix.count))
                guard used[target] == nil,
                    let component = book.shapes.components.first(where: { $0.name == target })
                else { continue }
                let schema = book.shapes.schema(of: component, in: Self.prefix)
                used[target] = schema
                search(schema)
            }
        }
        search(.object(paths))
        return used
    }

    // MARK: Operations

    private mutating func add(_ action: ExposedAction) {
        guard case .success(let route) = action.actionRoute else { return }
        let endpoint = action.signature.endpoint
        var operation: JSON.Object = ["operationId": .string(freeName(action.name))]
        operation["summary"] = .string(endpoint?.summary ?? Self.words(action.name))
        operation["description"] = endpoint?.description.map(JSON.string)
        var refusals: [Int: [String]] = [400: ["The request can't be read."]]
        let input = OpenAPIInput(
            action.signature.input,
            route,
            endpoint,
            isExact: action.declarations.isExact,
            book
        )
        let key: [JSON] = action.declarations.needsKey ? [Self.keyParameter] : []
        var responses = OpenAPIOutput(action.signature.output, route, endpoint, book)
            .responses
        var conditions: [JSON] = []
        if action.isTagged(whereAllAre: tagsAll), action.signature.output.canBeTagged {
            OpenAPITags.add(to: &responses)
            refusals[412] = [OpenAPITags.refusal]
            // An input may have the field as a member.
            if !route.fields.values.contains(.ifNoneMatch) { conditions = [OpenAPITags.parameter] }
        } else if action.declarations.heedsConditions {
            refusals[412] = [OpenAPITags.unmet]
        }
        operation["parameters"] = .array(
            input.parameters + key + conditions + [Self.timeoutParameter]
        )
        if let body = input.body {
            operation["requestBody"] = body
            refusals[413] = ["The body is too large."]
            refusals[415] = ["The body is of another media type."]
        }
        if input.isChecked {
            refusals[422] = ["The input isn't what is asked for; `errors` says why."]
        }
        if let scopes = action.declarations.neededScopes {
            usesTokens = true
            operation["security"] = .array(security.demands(scopes))
            refusals[401] = ["It isn't known who asks."]
            if !scopes.isEmpty { refusals[403] = ["The one who asks may not."] }
        } else if action.declarations.callers != nil {
            usesTokens = true
            // Who shows nothing may ask, too (OpenAPI 3.1 §4.8.30).
            operation["security"] = .array(security.demands([]) + [.object([:])])
            refusals[401] = ["What was shown isn't taken."]
        }
        if action.declarations.rateLimit != nil {
            refusals[429] = ["Too often; `Retry-After` says when to come again."]
        }
        if let deprecation = action.declarations.deprecation {
            operation["deprecated"] = true
            let words = Self.words(deprecation)
            operation["description"] = .string(
                endpoint?.description.map { "\($0)\n\n\(words)" } ?? words
            )
        }
        refusals[504] = ["It took longer than it may."]
        for problem in endpoint?.problems ?? [] {
            refusals[problem.status.code, default: []].append(
                "\(problem.title) (`\(problem.type)`)."
            )
        }
        for (status, reasons) in refusals.sorted(by: { $0.key < $1.key }) {
            responses["\(status)"] = Self.problem(reasons.joined(separator: " "))
        }
        responses["default"] = Self.problem("What else goes wrong.")
        operation["responses"] = .object(responses)
        let path = route.template.description
        var item = paths[path]?.object ?? JSON.Object()
        item[route.method.rawValue.lowercased()] = .object(operation)
        paths[path] = .object(item)
    }

    private mutating func addBehaviors(hasNamed: Bool) {
        let behaviors = OpenAPIBehaviors(problem: Self.problem)
        // Who is known is given what is theirs, and nobody has to be.
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

    /// An action's name as words: "Like photo".
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
        if let sunset = deprecation.sunset { words += " It may be gone from \(sunset) on." }
        if let link = deprecation.link { words += " See <\(link)>." }
        return words
    }

    /// The field of an action that is performed once for each key: a text of structured fields
    /// (RFC 9651 §3.3.3).
    private static let keyParameter: JSON = [
        "name": "Idempotency-Key", "in": "header", "required": true,
        "description": "A quoted key of one's choice: the same one has the request done once.",
        "schema": [
            "type": "string", "pattern": #"^"(?:[ !#-\[\]-~]|\\["\\]){1,255}"$"#,
        ],
    ]

    /// The field that gives every action its deadline.
    private static let timeoutParameter: JSON = [
        "name": "Request-Timeout", "in": "header",
        "description": "How many seconds it may take; behind them the answer is 504.",
        "schema": [
            "type": "number", "exclusiveMinimum": 0, "maximum": 999_999_999_999,
            "multipleOf": 0.001,
        ],
    ]

    // MARK: Problems

    private static let problemName = "Problem"

    private static func problem(_ description: String) -> JSON {
        [
            "description": .string(description),
            "content": [
                "application/problem+json": ["schema": ["$ref": .string(prefix + problemName)]]
            ],
        ]
    }

    /// RFC 9457, with what is wrong with an input's members.
    private static let problemSchema: JSON = [
        "type": "object",
        "description": "Why a request failed (RFC 9457).",
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

/// What an API is called in its description.
public struct APIInfo: Sendable, Hashable {
    /// The API's name.
    public var title: String
    /// The API's version, which is its author's own.
    public var version: String
    /// What there is to know of it, in CommonMark.
    public var description: String?

    /// An API of that name.
    public init(title: String = "Plugboard", version: String = "1", description: String? = nil) {
        self.title = title
        self.version = version
        self.description = description
    }
}
