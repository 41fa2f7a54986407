import BehaviorStore
import JSONCodec

/// The OpenAPI description of the behavior documents, which no action serves.
struct OpenAPIBehaviors {
    /// Makes an error response with this description.
    let problem: (String) -> JSON

    /// `GET /behaviors.json`.
    func standard(as name: String, _ security: JSON?) -> JSON {
        operation(name, "The behaviors that apps perform", [], security)
    }

    /// `GET /behaviors/{name}.json`.
    func named(as name: String, _ security: JSON?) -> JSON {
        let document: JSON = [
            "name": "name", "in": "path", "required": true,
            "description": "The document's name; `default` is only at `/behaviors.json`.",
            "schema": ["type": "string", "pattern": .string(DocumentKey.pattern)],
        ]
        return operation(
            name,
            "The behaviors that apps perform, in another document",
            [document],
            security
        )
    }

    private func operation(
        _ name: String,
        _ summary: String,
        _ parameters: [JSON],
        _ security: JSON?
    ) -> JSON {
        var responses: JSON.Object = [
            "200": [
                "description": "The document's variant for the context.",
                "headers": Self.fields,
                "content": ["application/json": ["schema": Self.document]],
            ],
            "304": [
                "description": "The client has the current representation.",
                "headers": .object(Self.caching),
            ],
            "400": problem("The context is malformed, or has a name twice."),
        ]
        if security != nil { responses["401"] = problem("The credentials were rejected.") }
        if !parameters.isEmpty {
            responses["404"] = problem("There is no such document, or no live revision of it.")
        }
        responses["412"] = problem("The document doesn't meet the preconditions.")
        responses["default"] = problem("Any other error.")
        var operation: JSON.Object = [
            "operationId": .string(name),
            "tags": OpenAPI.own,
            "summary": .string(summary),
            "description": .string(
                """
                A document with rules has a variant for each context. The context consists of the \
                query's items, the field `Plugboard-Context` and the caller, whose subject is the \
                `targetingKey`. Each name may occur once. A document without rules ignores it.
                """
            ),
            "parameters": .array(parameters + Self.context),
            "responses": .object(responses),
        ]
        operation["security"] = security
        return .object(operation)
    }

    /// The parameters for the context and the client's cache.
    private static let context: [JSON] = [
        [
            "name": "context", "in": "query", "style": "form", "explode": true,
            "description": .string(
                """
                Properties of the context, each a text and an item of its own: \
                `?country=LV&user.plan=pro`. Dots separate the names of nested properties.
                """
            ),
            "schema": ["type": "object"],
            "example": ["targetingKey": "user-42", "country": "LV"],
        ],
        [
            "name": "Plugboard-Context", "in": "header",
            "description": "Properties of the context as one JSON object, 16 KiB at most.",
            "content": [
                "application/json": [
                    "schema": ["type": "object"],
                    "example": ["targetingKey": "user-42", "groups": ["beta"]],
                ]
            ],
        ],
        OpenAPITags.parameter,
    ]

    private static let caching: JSON.Object = [
        "ETag": header("Identifies the revision and the context's variant (RFC 9110 §8.8.3)."),
        "Cache-Control": header(
            """
            `no-cache` without rules. With rules `private` for a known caller; for others a cache may \
            serve a stale response while it revalidates (RFC 5861).
            """
        ),
        "Vary": header("With rules: the fields that the context comes from (RFC 9110 §12.5.5)."),
    ]

    /// A 304 has an entity tag, so no date (RFC 9110 §15.4.5).
    private static var fields: JSON {
        var fields = caching
        fields["Last-Modified"] = header("Without rules: the time of the document's last change.")
        return .object(fields)
    }

    private static func header(_ description: String) -> JSON {
        ["description": .string(description), "schema": ["type": "string"]]
    }

    private static let document: JSON = [
        "type": "array",
        "items": [
            "type": "object", "required": ["name", "actions"],
            "properties": [
                "name": ["type": "string"], "actions": ["type": "array", "items": function],
            ],
        ],
    ]

    private static let function: JSON = [
        "type": "object", "required": ["func"],
        "properties": ["func": ["type": "string"], "value": JSON.object([:])],
    ]
}
