public import HTTPTypes
public import Plug

/// An action's place in a REST API: a method and a path.
///
/// A contract conforms to one of ``GET``, ``POST``, ``PUT``, ``PATCH`` and ``DELETE``, which say
/// the method, and names its path. Server and client share it:
/// ```swift
/// extension LikePhoto: POST { static var path: String { "/photos/{id}/like" } }
/// ```
/// The input's members that the path names travel in the path. The others travel in the query where
/// the method has no body, and in a JSON body or a form where it has one.
public protocol Endpoint: ActionProtocol {
    /// The request method.
    static var method: HTTPRequest.Method { get }

    /// The path, whose segments in braces are members of the input: `/photos/{id}/like`.
    static var path: String { get }

    /// Where the thing that a call made is to be found; nil where a call makes nothing.
    ///
    /// A location makes the response a `201 Created` with a `Location` field (RFC 9110, 15.3.2).
    static func location(of output: Output) -> String?

    /// The members of the input that travel in header fields: `["key": .init("API-Key")!]`.
    ///
    /// They come from nowhere else: what a query or a body says of them isn't looked at. A list is
    /// the field's members in all its lines (RFC 9110 §5.3).
    static var fields: [String: HTTPField.Name] { get }

    /// The member of the input that is the request's whole body, in place of a body of members; nil
    /// for none.
    ///
    /// It is a text, byte by byte as it came. The members that neither it nor the path nor a field is
    /// travel in the query.
    static var wholeBody: String? { get }

    /// The media types that a ``wholeBody`` may have; none named is JSON's.
    ///
    /// Of which one a body is tells the member that travels in the field `Content-Type`, if there is
    /// one. A body of another type is refused with a `415` that names these; so is one of none, unless
    /// JSON's is the only one.
    static var bodyTypes: [BodyType] { get }

    /// The members of the input that travel in the query though the method has a body.
    static var queried: [String] { get }

    /// The errors of its own that the action declares.
    static var problems: [any DeclaredProblem.Type] { get }

    /// The media type that a ``ResponseBody`` always has, such as `text/csv`; nil where it may be any.
    ///
    /// It is what the action is described by: the body itself says what it is.
    static var mediaType: String? { get }

    /// What the action does, in a few words; nil for its name alone.
    static var summary: String? { get }

    /// What there is to know of the action, in CommonMark.
    static var description: String? { get }
}

extension Endpoint {
    /// No member in header fields.
    public static var fields: [String: HTTPField.Name] { [:] }

    /// A body of members, where the method has a body.
    public static var wholeBody: String? { nil }

    /// JSON's.
    public static var bodyTypes: [BodyType] { [] }

    /// None.
    public static var queried: [String] { [] }

    /// No error of its own.
    public static var problems: [any DeclaredProblem.Type] { [] }

    /// Any.
    public static var mediaType: String? { nil }

    /// Nothing but the name.
    public static var summary: String? { nil }

    /// Nothing more.
    public static var description: String? { nil }

    /// No location: a call makes nothing that has an address.
    public static func location(of output: Output) -> String? { nil }
}

/// An endpoint that reads: safe, idempotent, without a body.
public protocol GET: Endpoint, SafeAction {}

extension GET {
    /// The method `GET`.
    public static var method: HTTPRequest.Method { .get }
}

extension GET where Input == RequestBody {
    /// None: what takes a body isn't a `GET`.
    @available(
        *,
        unavailable,
        message: "a GET has no body: take a RequestBody in a POST, PUT or PATCH"
    )
    public static var method: HTTPRequest.Method { .get }
}

/// An endpoint that does or makes something each time it is called; it has a body.
public protocol POST: Endpoint {}

extension POST {
    /// The method `POST`.
    public static var method: HTTPRequest.Method { .post }
}

/// An endpoint that sets a thing as a whole: idempotent, with a body.
public protocol PUT: Endpoint, IdempotentAction {}

extension PUT {
    /// The method `PUT`.
    public static var method: HTTPRequest.Method { .put }
}

/// An endpoint that changes a part of a thing; it has a body.
public protocol PATCH: Endpoint {}

extension PATCH {
    /// The method `PATCH`.
    public static var method: HTTPRequest.Method { .patch }
}

/// An endpoint that removes a thing: idempotent, without a body.
public protocol DELETE: Endpoint, IdempotentAction {}

extension DELETE {
    /// The method `DELETE`.
    public static var method: HTTPRequest.Method { .delete }
}

extension DELETE where Input == RequestBody {
    /// None: what takes a body isn't a `DELETE`.
    @available(
        *,
        unavailable,
        message: "a DELETE has no body: take a RequestBody in a POST, PUT or PATCH"
    )
    public static var method: HTTPRequest.Method { .delete }
}
