public import HTTPTypes

/// The endpoints of APIs that aren't actions.
///
/// ```swift
/// struct Repositories: API.GET {
///     typealias Response = [Repository]
///     let path = "user/repos"
///     let urlParameters = ["visibility": "public"]
/// }
/// let github = Client("https://api.github.com", token: token)
/// let repositories = try await github.send(Repositories())
/// ```
/// The method's protocol decides what a request carries: a body of an ``API/GET`` is never sent.
public enum API {
    /// A request to an API, and the type of its response.
    ///
    /// Conform to ``GET``, ``POST``, ``PUT``, ``PATCH`` or ``DELETE``.
    public protocol Endpoint: Sendable {
        /// The response's type: `Decodable` from JSON, `String`, `[UInt8]`, `Data` or `Void`.
        associatedtype Response: Sendable
        /// The type of the body.
        associatedtype Content: API.Content

        /// The request method.
        static var method: HTTPRequest.Method { get }

        /// The path below the client's URL, percent-encoded, with or without a leading slash.
        ///
        /// ``API/segment(_:)`` encodes a value. The path may have a query of its own.
        var path: String { get }

        /// The query's parameters, unencoded.
        var urlParameters: [String: String] { get }

        /// The header fields, which override the client's.
        var headers: [String: String] { get }

        /// The request's body.
        var body: Content { get }

        /// Returns the response's value.
        static func decode(_ body: [UInt8]) throws -> Response
    }

    /// A type of a request's body.
    public protocol Content: Sendable {
        /// The body that is sent.
        var body: Body { get }
    }

    /// The content of a request without a body.
    public struct NoContent: Content {
        /// Creates it.
        public init() {}

        /// No body.
        public var body: Body { .none }
    }

    /// A request that reads a resource; it has no body.
    public protocol GET: Endpoint where Content == NoContent {}

    /// A request that creates something or has an effect; it has a body.
    public protocol POST: Endpoint where Content == Body {}

    /// A request that replaces a resource; it has a body.
    public protocol PUT: Endpoint where Content == Body {}

    /// A request that changes a resource; it has a body.
    public protocol PATCH: Endpoint where Content == Body {}

    /// A request that removes a resource; it may have a body.
    public protocol DELETE: Endpoint where Content == Body {}
}

extension API.Endpoint {
    /// No parameters.
    public var urlParameters: [String: String] { [:] }

    /// No fields.
    public var headers: [String: String] { [:] }
}

extension API.Endpoint where Content == API.NoContent {
    /// No body.
    public var body: API.NoContent { API.NoContent() }
}

extension API.GET {
    /// The method `GET`.
    public static var method: HTTPRequest.Method { .get }
}

extension API.POST {
    /// The method `POST`.
    public static var method: HTTPRequest.Method { .post }
}

extension API.PUT {
    /// The method `PUT`.
    public static var method: HTTPRequest.Method { .put }
}

extension API.PATCH {
    /// The method `PATCH`.
    public static var method: HTTPRequest.Method { .patch }
}

extension API.DELETE {
    /// The method `DELETE`.
    public static var method: HTTPRequest.Method { .delete }

    /// No body.
    public var body: API.Body { .none }
}
