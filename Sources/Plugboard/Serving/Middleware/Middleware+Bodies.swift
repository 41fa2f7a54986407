import HTTPTypes
import PlugHTTP

extension Middleware {
    /// Rejects larger bodies with 413, as sent and inflated.
    ///
    /// It can only lower the server's own limit. A streamed body is rejected as soon as it exceeds
    /// the limit.
    ///
    /// - Parameters:
    ///   - bytes: the largest body in bytes.
    ///   - prefix: the prefix of the paths that it applies to.
    /// - Returns: a middleware for the server's list.
    public static func bodyLimit(_ bytes: Int, below prefix: String = "/") -> Middleware {
        let rule = PathRule(prefix: prefix, bodyLimit: max(0, bytes))
        return Middleware(rule) { request, next in
            guard request.bodySize > bytes, request.path.hasPrefix(rule.prefix) else {
                return try await next()
            }
            return ServerResponse(
                Problem(status: .contentTooLarge, detail: "a body here has at most \(bytes) bytes")
            )
        }
    }

    /// Compresses text responses with gzip for clients that accept it.
    ///
    /// It is for servers that compress only some responses, with
    /// ``Server/Configuration/compressionThreshold`` nil. Responses that are already coded stay as
    /// they are. So do those to which another middleware has added a tag.
    ///
    /// - Parameters:
    ///   - threshold: the size in bytes above which a body is compressed.
    ///   - prefix: the prefix of the paths that it applies to.
    /// - Returns: a middleware for the server's list.
    public static func compression(
        over threshold: Int = 1024,
        below prefix: String = "/"
    ) -> Middleware {
        let coding = ResponseCompression(threshold: threshold)
        let rule = PathRule(prefix: prefix, coding: coding)
        return Middleware(rule) { request, next in
            let response = try await next()
            guard request.path.hasPrefix(rule.prefix) else { return response }
            return ServerResponse(coding.code(response.response, prefersGzip: request.prefersGzip))
        }
    }
}
