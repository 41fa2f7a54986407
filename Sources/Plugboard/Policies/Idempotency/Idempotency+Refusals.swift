import HTTPServer

extension Idempotency {
    static var mismatch: Response {
        ProblemResponse.make(422, "the Idempotency-Key belongs to a different request")
    }

    static var lost: Response {
        ProblemResponse.make(
            409,
            "the server ended during the request with this Idempotency-Key, and its outcome is "
                + "unknown: check whether it had an effect, and if not, retry with a new key"
        )
    }

    static var confidential: Response {
        ProblemResponse.make(
            409,
            "the request with this Idempotency-Key is done, and its response is not stored, because "
                + "it contains a secret: for another one, use a new key"
        )
    }

    static var unkept: Response {
        ProblemResponse.make(
            409,
            "the request with this Idempotency-Key is done, and its response is not stored, because it "
                + "is a stream, a file or too large, or because the limit of stored responses is "
                + "reached: read the result with another request; a new key performs this one again"
        )
    }

    static func full(_ room: IdempotencyKeyState.Room, _ seconds: Int) -> Response {
        ProblemResponse.make(
            room == .own ? 429 : 503,
            "the limit of stored Idempotency-Keys or of their responses is reached, and the request "
                + "was not performed: retry in \(seconds) s",
            fields: [("Retry-After", String(seconds))]
        )
    }

    /// The response if the records are unavailable.
    static var unavailable: Response {
        ProblemResponse.make(503, nil, fields: [("Retry-After", "1")])
    }
}
