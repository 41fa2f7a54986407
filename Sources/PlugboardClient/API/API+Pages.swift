import HTTPSyntax
import HTTPTypes

extension API {
    /// The pages of a list; each is requested when the loop reaches it.
    public struct Pages<E: API.GET>: AsyncSequence, Sendable {
        /// The response's value of one page.
        public typealias Element = E.Response

        let client: Client
        let endpoint: E

        /// Iterates over the pages.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let client: Client
            let endpoint: E
            /// The next page's request; nil after the last page.
            var request: OutgoingRequest?
            var isFirst = true

            /// Returns the next page; nil after the last.
            ///
            /// - Throws: ``API/ErrorResponse``, `ClientError`, or `CancellationError`.
            public mutating func next() async throws -> E.Response? {
                if isFirst {
                    isFirst = false
                    request = try OutgoingRequest(endpoint)
                }
                guard let request else { return nil }
                self.request = nil
                let response = try await client.response(to: endpoint, request)
                let link = response.fields.link.flatMap { LinkField.target(of: "next", in: $0) }
                self.request = try link.map { try client.request(following: $0, from: request) }
                return response.output
            }
        }

        /// Starts with the first page.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(client: client, endpoint: endpoint)
        }
    }
}

extension Client {
    /// Returns the request to a link of a response.
    ///
    /// - Throws: `ClientError` of kind `invalidResponse` for a link to another origin, or to the
    ///   same page.
    fileprivate func request(
        following link: String,
        from request: OutgoingRequest
    ) throws -> OutgoingRequest {
        let base = try base.get()
        let current = request.isComplete ? request.target : base.prefix + request.target
        let place = RequestPlace(
            scheme: base.scheme,
            authority: base.authority.text,
            target: current
        )
        guard let target = place.resolve(link), target.hasOrigin(of: place) else {
            throw ClientError(
                .invalidResponse,
                "The link to the next page leads to another server: \(RedactedURL.text(link))"
            )
        }
        guard target != place else {
            throw ClientError(.invalidResponse, "The link to the next page is the page itself")
        }
        var next = OutgoingRequest(request.method, target.target, accept: request.accept)
        next.fields = request.fields
        next.isComplete = true
        return next
    }
}

extension HTTPFields {
    /// The links of all lines (RFC 8288 §3).
    fileprivate var link: String? { HTTPField.Name("Link").flatMap { self[$0] } }
}
