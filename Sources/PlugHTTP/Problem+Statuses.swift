import HTTPTypes

extension Problem {
    /// A `400`: the request cannot be read.
    public static func badRequest(_ detail: String? = nil) -> Problem {
        Problem(status: .badRequest, detail: detail)
    }

    /// A `401`: it is not known who asks.
    public static func unauthorized(_ detail: String? = nil) -> Problem {
        Problem(status: .unauthorized, detail: detail)
    }

    /// A `403`: the one who asks may not.
    public static func forbidden(_ detail: String? = nil) -> Problem {
        Problem(status: .forbidden, detail: detail)
    }

    /// A `404`: there is no such thing.
    public static func notFound(_ detail: String? = nil) -> Problem {
        Problem(status: .notFound, detail: detail)
    }

    /// A `405`: the thing is there, but not for this method.
    public static func methodNotAllowed(_ detail: String? = nil) -> Problem {
        Problem(status: .methodNotAllowed, detail: detail)
    }

    /// A `409`: the request contradicts how things are now.
    public static func conflict(_ detail: String? = nil) -> Problem {
        Problem(status: .conflict, detail: detail)
    }

    /// A `410`: the thing was there and is no more.
    public static func gone(_ detail: String? = nil) -> Problem {
        Problem(status: .gone, detail: detail)
    }

    /// A `412`: the thing has changed since the one who asks last saw it.
    public static func preconditionFailed(_ detail: String? = nil) -> Problem {
        Problem(status: .preconditionFailed, detail: detail)
    }

    /// A `413`: the body is too large.
    public static func contentTooLarge(_ detail: String? = nil) -> Problem {
        Problem(status: .contentTooLarge, detail: detail)
    }

    /// A `415`: the body is of a type that is not read here.
    public static func unsupportedMediaType(_ detail: String? = nil) -> Problem {
        Problem(status: .unsupportedMediaType, detail: detail)
    }

    /// A `422`: the request can be read, and what it asks for makes no sense.
    public static func unprocessableContent(_ detail: String? = nil) -> Problem {
        Problem(status: .unprocessableContent, detail: detail)
    }

    /// A `429`: the one who asks does so too often.
    public static func tooManyRequests(_ detail: String? = nil) -> Problem {
        Problem(status: .tooManyRequests, detail: detail)
    }

    /// A `500`: it failed here, and the log says why.
    public static func internalServerError(_ detail: String? = nil) -> Problem {
        Problem(status: .internalServerError, detail: detail)
    }

    /// A `502`: a server behind this one failed.
    public static func badGateway(_ detail: String? = nil) -> Problem {
        Problem(status: .badGateway, detail: detail)
    }

    /// A `503`: not now.
    public static func serviceUnavailable(_ detail: String? = nil) -> Problem {
        Problem(status: .serviceUnavailable, detail: detail)
    }

    /// A `504`: a server behind this one did not answer in time.
    public static func gatewayTimeout(_ detail: String? = nil) -> Problem {
        Problem(status: .gatewayTimeout, detail: detail)
    }

    /// The reason phrase of a status, from the registry where the status itself has none.
    static func reasonPhrase(of status: HTTPResponse.Status) -> String {
        if !status.reasonPhrase.isEmpty { return status.reasonPhrase }
        if let known = known.first(where: { $0 == status }) { return known.reasonPhrase }
        return status.kind == .clientError ? "Client Error" : "Server Error"
    }

    private static let known: [HTTPResponse.Status] = [
        .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
        .proxyAuthenticationRequired, .requestTimeout, .conflict, .gone, .lengthRequired,
        .preconditionFailed, .contentTooLarge, .uriTooLong, .unsupportedMediaType,
        .rangeNotSatisfiable, .expectationFailed, .misdirectedRequest, .unprocessableContent,
        .tooEarly, .upgradeRequired, .preconditionRequired, .tooManyRequests,
        .requestHeaderFieldsTooLarge, .unavailableForLegalReasons, .internalServerError,
        .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
        .httpVersionNotSupported, .networkAuthenticationRequired,
    ]
}
