public import HTTPTypes

extension Middleware {
    /// Allows web pages of ``Server/Configuration/allowedOrigins`` to read this server's responses
    /// (Fetch Standard §3.2).
    ///
    /// The middleware responds to preflights itself. A page of another origin gets a response
    /// without the CORS fields, so its browser hides it.
    ///
    /// - Parameters:
    ///   - methods: the methods that a page may use.
    ///   - fields: the header fields that a page may send, besides the safelisted ones.
    ///   - exposed: the response fields that a page may read, besides the safelisted ones.
    ///   - credentials: whether a page may send cookies and credentials. Never combined with
    ///     the origin `*`: that would open every visitor's account to every page.
    ///   - maxAge: the seconds for which a browser may cache a preflight's response.
    /// - Returns: a middleware for the server's list.
    public static func cors(
        methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete],
        fields: [HTTPField.Name] = [.contentType, .authorization],
        exposed: [HTTPField.Name] = [.eTag, .location],
        credentials: Bool = false,
        maxAge: Int = 600
    ) -> Middleware {
        let methods = methods.map(\.rawValue).joined(separator: ", ")
        let sendable = fields.map(\.rawName).joined(separator: ", ")
        let exposed = exposed.map(\.rawName).joined(separator: ", ")

        @Sendable func allow(
            _ origin: String?,
            _ origins: AllowedOrigins,
            _ response: inout ServerResponse
        ) -> Bool {
            let isOpen = origins.allowsAny && !credentials
            if !isOpen { response.vary(on: .origin) }
            guard let origin, isOpen || origins.contains(origin) else { return false }
            response.fields[.accessControlAllowOrigin] = isOpen ? "*" : origin
            response.fields[.crossOriginResourcePolicy] = "cross-origin"
            if credentials { response.fields[.accessControlAllowCredentials] = "true" }
            return true
        }

        return Middleware { request, next in
            let origin = request.head.headerFields[.origin]
            let isPreflight =
                request.head.method == .options && origin != nil
                && request.head.headerFields[.accessControlRequestMethod] != nil
            guard isPreflight else {
                var response = try await next()
                if allow(origin, request.origins, &response), !exposed.isEmpty {
                    response.fields[.accessControlExposeHeaders] = exposed
                }
                return response
            }
            var response = ServerResponse(status: .noContent)
            response.vary(on: .accessControlRequestMethod)
            response.vary(on: .accessControlRequestHeaders)
            if allow(origin, request.origins, &response) {
                response.fields[.accessControlAllowMethods] = methods
                response.fields[.accessControlAllowHeaders] = sendable
                response.fields[.accessControlMaxAge] = String(max(0, maxAge))
            }
            return response
        }
    }
}

extension ServerResponse {
    /// Adds the field to the response's `Vary` (RFC 9110 §12.5.5).
    mutating func vary(on name: HTTPField.Name) {
        let named = fields[values: .vary]
            .flatMap { $0.split(separator: ",") }
            .map { $0.drop { $0 == " " }.lowercased() }
        guard !named.contains("*"), !named.contains(name.canonicalName) else { return }
        fields.append(HTTPField(name: .vary, value: name.rawName))
    }
}
