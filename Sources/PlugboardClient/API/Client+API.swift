import HTTPSyntax
import HTTPTypes
import PlugHTTP

extension Client {
    /// Sends a request to an API and returns its response's value.
    ///
    /// - Throws: ``API/ErrorResponse`` for a status other than 200 to 299, `ClientError`, or
    ///   `CancellationError`.
    public func send<E: API.Endpoint>(_ endpoint: E) async throws -> E.Response {
        try await response(to: endpoint).output
    }

    /// Sends a request to an API and returns the whole response.
    ///
    /// - Throws: ``API/ErrorResponse`` for a status other than 200 to 299, `ClientError`, or
    ///   `CancellationError`.
    public func response<E: API.Endpoint>(
        to endpoint: E
    ) async throws -> ClientResponse<E.Response> {
        try await response(to: endpoint, OutgoingRequest(endpoint))
    }

    /// Returns the pages of a list, each of which has a link to the next one.
    ///
    /// ```swift
    /// for try await repositories in github.pages(of: Repositories()) { show(repositories) }
    /// ```
    /// The link is that of the field `Link` with the relation `next` (RFC 8288). A link to another
    /// origin is an error, because the client's token would go there.
    public func pages<E: API.GET>(of endpoint: E) -> API.Pages<E> {
        API.Pages(client: self, endpoint: endpoint)
    }

    func response<E: API.Endpoint>(
        to endpoint: E,
        _ request: OutgoingRequest
    ) async throws -> ClientResponse<E.Response> {
        let (response, body) = try await perform(request)
        guard response.status.kind == .successful else {
            throw API.ErrorResponse(
                status: response.status,
                fields: response.headerFields,
                body: body
            )
        }
        do {
            return ClientResponse(
                output: try E.decode(body),
                status: response.status,
                fields: response.headerFields
            )
        } catch {
            throw ClientError(
                .invalidResponse,
                "The response to \(request.method) \(request.target) is not of type "
                    + "\(E.Response.self): \(error)"
            )
        }
    }
}

extension API {
    /// Returns a text as a segment of a path: `a b/c` is `a%20b%2Fc`.
    public static func segment(_ text: String) -> String { PercentCoding.encode(text) }
}

extension OutgoingRequest {
    /// Creates the request to an API's endpoint.
    ///
    /// - Throws: `ClientError` of kind `invalidInput` if a value can't be sent.
    init(_ endpoint: some API.Endpoint) throws(ClientError) {
        let path = try Self.path(endpoint.path, adding: endpoint.urlParameters)
        self.init(type(of: endpoint).method, path, accept: "application/json, */*;q=0.5")
        let (mediaType, body) = try endpoint.body.body.encoded()
        self.body = body
        fields[.contentType] = mediaType
        for (name, value) in endpoint.headers {
            guard let field = HTTPField.Name(name) else {
                throw ClientError(.invalidInput, "\"\(name)\" is not the name of a header field")
            }
            guard let text = FieldText.text(of: .string(value)) else {
                throw ClientError(
                    .invalidInput,
                    "The value of the header field \(name) has control characters or whitespace "
                        + "around it"
                )
            }
            fields[field] = text
        }
    }

    /// Returns a path with a leading slash and the parameters in the order of their names.
    private static func path(
        _ path: String,
        adding parameters: [String: String]
    ) throws(ClientError) -> String {
        func invalid(_ reason: String) -> ClientError {
            ClientError(.invalidInput, "The path \"\(path)\" is invalid: \(reason)")
        }
        let bytes = path.utf8
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw invalid("percent-encode its values with API.segment")
        }
        let hierarchy = path.prefix { $0 != "?" }
        guard !hierarchy.contains("://"), !path.hasPrefix("//") else {
            throw invalid("the host is part of the client's URL")
        }
        // A client's URL may have a path that requests must not leave.
        let segments = hierarchy.split(separator: "/")
        guard !segments.contains(where: \.isDotSegment) else {
            throw invalid("its segments can't be . or ..")
        }
        let query = Query.text(
            parameters.sorted { $0.key < $1.key }.map { (name: $0.key, text: $0.value) }
        )
        let whole = path.hasPrefix("/") ? path : "/" + path
        guard !query.isEmpty else { return whole }
        return whole + (path.contains("?") ? "&" : "?") + query
    }
}

extension Substring {
    /// Whether servers resolve it as `.` or `..` (WHATWG URL, "double-dot path segment").
    fileprivate var isDotSegment: Bool {
        var text = lowercased()
        while let escape = text.firstRange(of: "%2e") { text.replaceSubrange(escape, with: ".") }
        return text == "." || text == ".."
    }
}
