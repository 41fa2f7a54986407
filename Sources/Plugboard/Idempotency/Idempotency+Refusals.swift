import HTTPServer

extension Idempotency {
    static var mismatch: Response {
        ProblemAnswer.make(422, "the Idempotency-Key came with another request before")
    }

    static var lost: Response {
        ProblemAnswer.make(
            409,
            "a request with this Idempotency-Key had begun when its server ended: whether it was done "
                + "isn't known, and it isn't done again; look whether it was, and if not take another "
                + "key"
        )
    }

    static var confidential: Response {
        ProblemAnswer.make(
            409,
            "a request with this Idempotency-Key was done, and its answer was a secret, which isn't "
                + "kept: to have another one, take another key"
        )
    }

    static var unkept: Response {
        ProblemAnswer.make(
            409,
            "a request with this Idempotency-Key was done, and its answer is too large to be kept"
        )
    }

    static func full(_ room: IdempotencyStanding.Room, _ seconds: Int) -> Response {
        ProblemAnswer.make(
            room == .own ? 429 : 503,
            "as many answers for Idempotency-Keys are kept as can be, and none is dropped before its "
                + "day is over: nothing was done",
            fields: [("Retry-After", String(seconds))]
        )
    }

    /// For who asks while nobody can be told anything.
    static var unavailable: Response {
        ProblemAnswer.make(503, nil, fields: [("Retry-After", "1")])
    }
}
