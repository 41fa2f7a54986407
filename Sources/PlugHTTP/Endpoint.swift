public import HTTPTypes
public import Plug

/// An action's address in a REST API: a method and a path.
///
/// A contract conforms to ``GET``, ``POST``, ``PUT``, ``PATCH`` or ``DELETE``, which sets the
/// method, and names its path. Server and client share it:
/// ```swift
/// extension LikePhoto: POST { static var path: String { "/photos/{id}/like" } }
/// ```
/// The input's members that the path names are sent in the path. The others are sent in the query
/// if the method has no body. With a body they are its JSON members or form fields.
public protocol Endpoint: ActionProtocol {
    /// The request method.
    static var method: HTTPRequest.Method { get }

    /// The path, whose segments in braces are members of the input: `/photos/{id}/like`.
    static var path: String { get }

    /// Returns the path or URL of the resource that a call created; nil if it created none.
    ///
    /// A location makes the response a `201 Created` with a `Location` field (RFC 9110, 15.3.2).
    static func location(of output: Output) -> String?

    /// The input's members that are sent in header fields: `["key": .init("API-Key")!]`.
    ///
    /// The server ignores these members in the query and the body. A list is the field's members in
    /// all its lines (RFC 9110 §5.3).
    static var fields: [String: HTTPField.Name] { get }

    /// The input's member that is the whole request body, instead of a body of members; nil for
    /// none.
    ///
    /// Its type is text, with the body's exact bytes. Members outside the body, the path and the
    /// fields are sent in the query.
    static var wholeBody: String? { get }

    /// The media types that a ``wholeBody`` may have; an empty list means JSON.
    ///
    /// The member that is sent in the field `Content-Type`, if any, has the body's type. The server
    /// rejects other types with a `415` that lists these. It also rejects a body without a type,
    /// unless JSON is the only one.
    static var bodyTypes: [BodyType] { get }

    /// The input's members that are sent in the query, even though the method has a body.
    static var queried: [String] { get }

    /// The output's members that are sent in header fields instead of the body:
    /// `["total": .init("X-Total-Count")!]`.
    ///
    /// Each is a text, a number or a Boolean. A client's `send` puts them back.
    static var responseFields: [String: HTTPField.Name] { get }

    /// The statuses of successful responses; empty for those that follow from the output.
    ///
    /// The first is the default of ``status(of:)``.
    static var statuses: [HTTPResponse.Status] { get }

    /// Returns the status of the response with an output, one of ``statuses``.
    static func status(of output: Output) -> HTTPResponse.Status

    /// The action's own errors.
    static var problems: [any DeclaredProblem.Type] { get }

    /// The media type that a ``ResponseBody`` always has, such as `text/csv`; nil if it varies.
    ///
    /// It is for the API's description only; the body itself has its own media type.
    static var mediaType: String? { get }

    /// A short summary of the action; nil for its name only.
    static var summary: String? { get }

    /// The description of the action, in CommonMark.
    static var description: String? { get }
}

extension Endpoint {
    /// No members in header fields.
    public static var fields: [String: HTTPField.Name] { [:] }

    /// A body of members, if the method has a body.
    public static var wholeBody: String? { nil }

    /// JSON only.
    public static var bodyTypes: [BodyType] { [] }

    /// No members.
    public static var queried: [String] { [] }

    /// No members in header fields.
    public static var responseFields: [String: HTTPField.Name] { [:] }

    /// No statuses other than those of the output: 200, 201 with a location, or 204 without an output.
    public static var statuses: [HTTPResponse.Status] { [] }

    /// The first of ``statuses``.
    public static func status(of output: Output) -> HTTPResponse.Status { statuses.first ?? .ok }

    /// No errors.
    public static var problems: [any DeclaredProblem.Type] { [] }

    /// Any media type.
    public static var mediaType: String? { nil }

    /// The name only.
    public static var summary: String? { nil }

    /// No description.
    public static var description: String? { nil }

    /// No location.
    public static func location(of output: Output) -> String? { nil }
}

/// A read-only endpoint: safe, idempotent, without a body.
public protocol GET: Endpoint, SafeAction {}

extension GET {
    /// The method `GET`.
    public static var method: HTTPRequest.Method { .get }
}

extension GET where Input == RequestBody {
    /// Unavailable: a `GET` has no body.
    @available(
        *,
        unavailable,
        message: "a GET has no body: take a RequestBody in a POST, PUT or PATCH"
    )
    public static var method: HTTPRequest.Method { .get }
}

/// An endpoint that creates something or has an effect with each call; it has a body.
public protocol POST: Endpoint {}

extension POST {
    /// The method `POST`.
    public static var method: HTTPRequest.Method { .post }
}

/// An endpoint that replaces a whole resource: idempotent, with a body.
public protocol PUT: Endpoint, IdempotentAction {}

extension PUT {
    /// The method `PUT`.
    public static var method: HTTPRequest.Method { .put }
}

/// An endpoint that changes part of a resource; it has a body.
public protocol PATCH: Endpoint {}

extension PATCH {
    /// The method `PATCH`.
    public static var method: HTTPRequest.Method { .patch }
}

/// An endpoint that removes a resource: idempotent, without a body.
public protocol DELETE: Endpoint, IdempotentAction {}

extension DELETE {
    /// The method `DELETE`.
    public static var method: HTTPRequest.Method { .delete }
}

extension DELETE where Input == RequestBody {
    /// Unavailable: a `DELETE` has no body.
    @available(
        *,
        unavailable,
        message: "a DELETE has no body: take a RequestBody in a POST, PUT or PATCH"
    )
    public static var method: HTTPRequest.Method { .delete }
}
