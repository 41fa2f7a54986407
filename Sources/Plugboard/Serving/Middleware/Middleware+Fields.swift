import HTTPTypes
import PlugHTTP
import Tracing

extension Middleware {
    /// Adds fields against content sniffing, framing and leaks: `X-Content-Type-Options`,
    /// `X-Frame-Options`, `Referrer-Policy`, `Cross-Origin-Opener-Policy`, and the given
    /// `Content-Security-Policy`.
    ///
    /// A field that a response already has stays as it is.
    public static func securityFields(contentSecurityPolicy: String? = nil) -> Middleware {
        var fields: [(name: HTTPField.Name?, value: String)] = [
            (.xContentTypeOptions, "nosniff"),
            (HTTPField.Name("X-Frame-Options"), "DENY"),
            (HTTPField.Name("Referrer-Policy"), "no-referrer"),
            (HTTPField.Name("Cross-Origin-Opener-Policy"), "same-origin"),
        ]
        if let contentSecurityPolicy {
            fields.append((.contentSecurityPolicy, contentSecurityPolicy))
        }
        return Middleware { [fields] _, next in
            var response = try await next()
            for (name, value) in fields {
                if let name, response.fields[name] == nil { response.fields[name] = value }
            }
            return response
        }
    }

    /// Adds the request's `X-Request-ID` to the response.
    ///
    /// It makes a new ID if the request has none of 1 to 128 visible ASCII characters.
    ///
    /// Errors of the request are logged with the ID.
    public static let requestID = Middleware { request, next in
        guard let name = HTTPField.Name("X-Request-ID") else { return try await next() }
        let given = request.head.headerFields[name] ?? ""
        let id = RequestIdentity.usable(given.utf8) ?? RequestID.new()
        var response = try await ServiceContext.withRequestID(id, next)
        response.fields[name] = id
        return response
    }
}

private enum RequestID {
    /// 128 random bits in hexadecimal digits.
    static func new() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
