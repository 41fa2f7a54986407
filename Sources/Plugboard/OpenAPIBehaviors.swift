import BehaviorStore
import JSONCodec

/// How OpenAPI describes the reading of behavior documents, which no action does.
struct OpenAPIBehaviors {
    /// What a refusal looks like, of what it says.
    let problem: (String) -> JSON

    /// `GET /behaviors.json`.
    func standard(as name: String, _ security: JSON?) -> JSON {
        operation(name, "What apps are to perform", [], security)
    }

    /// `GET /behaviors/{name}.json`.
    func named(as name: String, _ security: JSON?) -> JSON {
        let document: JSON = [
            "name": "name", "in": "path", "required": true,
            "description": "The document's name; `default` is at `/behaviors.json` alone.",
            "schema": ["type": "string", "pattern": .string(DocumentKey.pattern)],
        ]
        return operation(
            name,
            "What apps are to perform, of another document",
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
                "description": "What the context is given of the document.",
                "headers": Self.fields,
                "content": ["application/json": ["schema": Self.document]],
            ],
            "304": [
                "description": "The client has what it would be given.",
                "headers": .object(Self.caching),
            ],
            "400": problem("The context can't be read, or has a name twice."),
        ]
        if security != nil { responses["401"] = problem("What was shown isn't taken.") }
        if !parameters.isEmpty {
            responses["404"] = problem("There is no such document, or nothing of it is live.")
        }
        responses["412"] = problem("The document isn't in the state asked for.")
        responses["default"] = problem("What else goes wrong.")
        var operation: JSON.Object = [
            "operationId": .string(name),
            "summary": .string(summary),
            "description": .string(
                """
                A document with rules is given to each as they are: the context is made of the query's \
                items, of the field `Plugboard-Context` and of the caller, whose subject is the \
                `targetingKey`; each name once. A document without rules looks at none of them.
                """
            ),
            "parameters": .array(parameters + Self.context),
            "responses": .object(responses),
        ]
        operation["security"] = security
        return .object(operation)
    }

    /// Whom it is for, and what the client has already.
    private static let context: [JSON] = [
        [
            "name": "context", "in": "query", "style": "form", "explode": true,
            "description": .string(
                """
                Properties of the context, any number, each a text and an item of its own: \
                `?country=LV&user.plan=pro`. Dots lead into what lies within.
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
        "ETag": header("Names the revision and what of it the context is given (RFC 9110 §8.8.3)."),
        "Cache-Control": header(
            """
            `no-cache` without rules; with rules `private` for a known caller, and for all others what \
            lets a cache send it on while it asks anew (RFC 5861).
            """
        ),
        "Vary": header("With rules: the fields that the context is made of (RFC 9110 §12.5.5)."),
    ]

    /// A 304 has no date beside its tag (RFC 9110 §15.4.5).
    private static var fields: JSON {
        var fields = caching
        fields["Last-Modified"] = header("Without rules: when the document was changed.")
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
