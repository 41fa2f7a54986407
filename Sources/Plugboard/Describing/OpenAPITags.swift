import JSONCodec

/// The OpenAPI description of entity tags and conditional requests (RFC 9110 §8.8.3, §13.1).
enum OpenAPITags {
    /// The parameter with the tags that the client has.
    static let parameter: JSON = [
        "name": "If-None-Match", "in": "header",
        "description": "The entity tags that the client has: 304 if one of them is current.",
        "schema": ["type": "string"],
    ]

    /// The reason for a 412.
    static let refusal = "The entity tag doesn't meet `If-Match`."

    /// The reason for a 412 from an action that evaluates its conditions itself.
    static let unmet = "The resource doesn't meet `If-Match` or `If-None-Match`."

    /// Adds the tag to the response with an action's output, and a 304 response.
    ///
    /// Streamed responses have no ETag, so the field is optional.
    static func add(to responses: inout JSON.Object) {
        let headers: JSON = [
            "ETag": [
                "description": "Identifies the complete response body (RFC 9110 §8.8.3).",
                "schema": ["type": "string"],
            ]
        ]
        guard var whole = responses["200"]?.object else { return }
        var all = whole["headers"]?.object ?? JSON.Object()
        all["ETag"] = headers["ETag"]
        whole["headers"] = .object(all)
        responses["200"] = .object(whole)
        responses["304"] = [
            "description": "The client has the current representation.", "headers": headers,
        ]
    }
}
