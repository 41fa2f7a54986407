public import HTTPTypes
import JSONCodec
public import PlugHTTP

extension API {
    /// An error response of an API: a status other than 200 to 299, with its body.
    ///
    /// ```swift
    /// do {
    ///     try await github.send(CreateIssue(title: ""))
    /// } catch let error as API.ErrorResponse where error.status == .unprocessableContent {
    ///     show(try error.decode(GitHubError.self).message)
    /// }
    /// ```
    public struct ErrorResponse: Error, Sendable, Equatable {
        /// The response's status.
        public let status: HTTPResponse.Status
        /// The response's fields.
        public let fields: HTTPFields
        /// The response's body.
        public let body: [UInt8]

        /// Returns the body as a value of JSON.
        ///
        /// - Throws: `DecodingError` or another error of JSON.
        public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSON.decodeResponse(type, from: body)
        }

        /// The body as a text.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }
}

extension API.ErrorResponse: ProblemConvertible {
    /// The response of a server whose action called the API, without the API's message.
    public var problem: Problem { .badGateway() }
}

extension API.ErrorResponse: CustomStringConvertible {
    /// The status, and the body's first 200 characters.
    public var description: String {
        let reason = status.reasonPhrase.isEmpty ? "" : " " + status.reasonPhrase
        return "\(status.code)\(reason): \(text.prefix(200))"
    }
}

extension API.Endpoint where Response: Decodable {
    /// Decodes JSON; an empty body counts as `null`.
    public static func decode(_ body: [UInt8]) throws -> Response {
        try JSON.decodeResponse(Response.self, from: body.isEmpty ? Array("null".utf8) : body)
    }
}

extension API.Endpoint where Response == String {
    /// Returns the body as UTF-8.
    public static func decode(_ body: [UInt8]) throws -> String {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw ClientError(.invalidResponse, "The response's body isn't UTF-8")
        }
        return text
    }
}

extension API.Endpoint
where Response: Decodable & RangeReplaceableCollection, Response.Element == UInt8 {
    /// Returns the body's bytes.
    public static func decode(_ body: [UInt8]) throws -> Response { Response(body) }
}

extension API.Endpoint where Response == Void {
    /// Ignores the body.
    public static func decode(_ body: [UInt8]) throws {}
}
