public import HTTPTypes

extension Middleware {
    /// Which web pages of other origins may call this server (Fetch Standard §3.2).
    ///
    /// A preflight is answered here. A page of an origin that isn't listed gets its response without
    /// the fields that would let it read it.
    ///
    /// - Parameters:
    ///   - origins: such as `https://app.example`; `*` is all of them.
    ///   - methods: those that a page may use.
    ///   - fields: those that a page may send beyond the ordinary ones.
    ///   - exposed: those of a response that a page may read beyond the ordinary ones.
    ///   - credentials: whether a page's cookies and authorisation may come along. Never with `*`:
    ///     that would open every visitor's account to every page.
    ///   - maxAge: how many seconds a browser may keep a preflight's answer.
    public static func cors(
        origins: Set<String>,
        methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete],
        fields: [HTTPField.Name] = [.contentType, .authorization],
        exposed: [HTTPField.Name] = [.eTag, .location],
        credentials: Bool = false,
        maxAge: Int = 600
    ) -> Middleware {
        let isOpen = origins.contains("*") && !credentials
        let methods = methods.map(\.rawValue).joined(separator: ", ")
        let sendable = fields.map(\.rawName).joined(separator: ", ")
        let exposed = exposed.map(\.rawName).joined(separator: ", ")

        @Sendable func allow(_ origin: String?, _ response: inout ServerResponse) -> Bool {
            if !isOpen { response.vary(on: .origin) }
            guard let origin, isOpen || origins.contains(origin) else { return false }
            response.fields[.accessControlAllowOrigin] = isOpen ? "*" : origin
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
                if allow(origin, &response), !exposed.isEmpty {
                    response.fields[.accessControlExposeHeaders] = exposed
                }
                return response
            }
            var response = ServerResponse(status: .noContent)
            response.vary(on: .accessControlRequestMethod)
            response.vary(on: .accessControlRequestHeaders)
            if allow(origin, &response) {
                response.fields[.accessControlAllowMethods] = methods
                response.fields[.accessControlAllowHeaders] = sendable
                response.fields[.accessControlMaxAge] = String(maxAge)
            }
            return response
        }
    }
}

extension ServerResponse {
    /// Says that the response depends on that field of the request (RFC 9110 §12.5.5).
    mutating func vary(on name: HTTPField.Name) {
        let named = fields[values: .vary]
            .flatMap { $0.split(separator: ",") }
            .map { $0.drop { $0 == " " }.lowercased() }
        guard !named.contains("*"), !named.contains(name.canonicalName) else { return }
        fields.append(HTTPField(name: .vary, value: name.rawName))
    }
}
