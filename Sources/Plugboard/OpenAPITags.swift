import JSONCodec

/// How OpenAPI describes entity tags, and requests with conditions about them (RFC 9110 §8.8.3, §13.1).
enum OpenAPITags {
    /// What the client has already.
    static let parameter: JSON = [
        "name": "If-None-Match", "in": "header",
        "description": "Entity tags of what the client has: 304 where one of them is current.",
        "schema": ["type": "string"],
    ]

    /// Why it is 412.
    static let refusal = "`If-Match` doesn't have the entity tag of what would be sent."

    /// Why a change is 412 that sees to its conditions itself.
    static let unmet = "What is there isn't as `If-Match` or `If-None-Match` asks for."

    /// Has the answer with an action's output tell its tag, beside one for who has it.
    ///
    /// What is sent as it is made has none, though nothing tells before that it is; so it may be missing.
    static func add(to responses: inout JSON.Object) {
        let headers: JSON = [
            "ETag": [
                "description": "Names the answer's bytes, where it is whole (RFC 9110 §8.8.3).",
                "schema": ["type": "string"],
            ]
        ]
        guard var whole = responses["200"]?.object else { return }
        whole["headers"] = headers
        responses["200"] = .object(whole)
        responses["304"] = [
            "description": "The client has what it would be given.", "headers": headers,
        ]
    }
}
