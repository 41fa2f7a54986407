import HTTPTypes
import PlugHTTP

extension Middleware {
    /// Refuses a larger body with 413, as sent and inflated, below the server's own limit.
    ///
    /// That of an action which takes it piece by piece is refused as soon as it is larger.
    ///
    /// - Parameters:
    ///   - bytes: the most that a body may have.
    ///   - prefix: what the paths begin with that this is about.
    /// - Returns: a middleware to be listed.
    public static func bodyLimit(_ bytes: Int, below prefix: String = "/") -> Middleware {
        let rule = PathRule(prefix: prefix, bodyLimit: bytes)
        return Middleware(rule) { request, next in
            guard request.bodySize > bytes, request.path.hasPrefix(rule.prefix) else {
                return try await next()
            }
            return ServerResponse(
                Problem(status: .contentTooLarge, detail: "a body here has at most \(bytes) bytes")
            )
        }
    }

    /// Sends responses of text gzip-coded to clients that take that.
    ///
    /// For servers that want it for a part of what they answer, with
    /// ``Server/Configuration/compressionThreshold`` nil; what is coded already stays as it is, and
    /// so does what another middleware has given a tag.
    ///
    /// - Parameters:
    ///   - threshold: the bytes beyond which a body is worth it.
    ///   - prefix: what the paths begin with that this is about.
    /// - Returns: a middleware to be listed.
    public static func compression(
        over threshold: Int = 1024,
        below prefix: String = "/"
    ) -> Middleware {
        let coding = AnswerCoding(threshold: threshold)
        let rule = PathRule(prefix: prefix, coding: coding)
        return Middleware(rule) { request, next in
            let response = try await next()
            guard request.path.hasPrefix(rule.prefix) else { return response }
            return ServerResponse(coding.code(response.response, takesGzip: request.takesGzip))
        }
    }
}
