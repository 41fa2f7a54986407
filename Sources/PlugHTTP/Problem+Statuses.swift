import HTTPTypes

extension Problem {
    /// A `400`: the request can't be parsed.
    public static func badRequest(_ detail: String? = nil) -> Problem {
        Problem(status: .badRequest, detail: detail)
    }

    /// A `401`: authentication required.
    public static func unauthorized(_ detail: String? = nil) -> Problem {
        Problem(status: .unauthorized, detail: detail)
    }

    /// A `403`: the caller lacks permission.
    public static func forbidden(_ detail: String? = nil) -> Problem {
        Problem(status: .forbidden, detail: detail)
    }

    /// A `404`: the resource doesn't exist.
    public static func notFound(_ detail: String? = nil) -> Problem {
        Problem(status: .notFound, detail: detail)
    }

    /// A `405`: the resource doesn't support the method.
    public static func methodNotAllowed(_ detail: String? = nil) -> Problem {
        Problem(status: .methodNotAllowed, detail: detail)
    }

    /// A `409`: the request conflicts with the resource's current state.
    public static func conflict(_ detail: String? = nil) -> Problem {
        Problem(status: .conflict, detail: detail)
    }

    /// A `410`: the resource no longer exists.
    public static func gone(_ detail: String? = nil) -> Problem {
        Problem(status: .gone, detail: detail)
    }

    /// A `412`: the resource has changed since the client last read it.
    public static func preconditionFailed(_ detail: String? = nil) -> Problem {
        Problem(status: .preconditionFailed, detail: detail)
    }

    /// A `413`: the body is too large.
    public static func contentTooLarge(_ detail: String? = nil) -> Problem {
        Problem(status: .contentTooLarge, detail: detail)
    }

    /// A `415`: the body's media type isn't supported.
    public static func unsupportedMediaType(_ detail: String? = nil) -> Problem {
        Problem(status: .unsupportedMediaType, detail: detail)
    }

    /// A `422`: the request can be parsed, but its content is invalid.
    public static func unprocessableContent(_ detail: String? = nil) -> Problem {
        Problem(status: .unprocessableContent, detail: detail)
    }

    /// A `429`: the client sends too many requests.
    public static func tooManyRequests(_ detail: String? = nil) -> Problem {
        Problem(status: .tooManyRequests, detail: detail)
    }

    /// A `500`: an internal error; the log has the cause.
    public static func internalServerError(_ detail: String? = nil) -> Problem {
        Problem(status: .internalServerError, detail: detail)
    }

    /// A `502`: an upstream server failed.
    public static func badGateway(_ detail: String? = nil) -> Problem {
        Problem(status: .badGateway, detail: detail)
    }

    /// A `503`: temporarily unavailable.
    public static func serviceUnavailable(_ detail: String? = nil) -> Problem {
        Problem(status: .serviceUnavailable, detail: detail)
    }

    /// A `504`: an upstream server timed out.
    public static func gatewayTimeout(_ detail: String? = nil) -> Problem {
        Problem(status: .gatewayTimeout, detail: detail)
    }

    /// Returns a status' reason phrase, from the registry if the status itself has none.
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

extension Problem {
    /// The detail of a 404 for a path without a resource.
    package static let unknownPath = "there is nothing at this path"
}
