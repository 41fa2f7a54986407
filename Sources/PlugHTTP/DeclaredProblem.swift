public import HTTPTypes

/// An error that an action's contract declares: what a caller may tell from others.
///
/// ```swift
/// struct SoldOut: DeclaredProblem {
///     static let status = HTTPResponse.Status.conflict
///     static let type = "https://example.com/problems/sold-out"
///     static let title = "Sold out"
///     var detail: String?
/// }
/// class Order: Action<…>, POST {
///     static var problems: [any DeclaredProblem.Type] { [SoldOut.self] }
/// }
/// ```
/// An implementation throws one, and it is the response: an RFC 9457 problem of its status, type and
/// title. The API's description lists those that an endpoint names.
public protocol DeclaredProblem: ProblemConvertible {
    /// The status of the response, from 400 to 599.
    static var status: HTTPResponse.Status { get }

    /// A URI that names the kind of problem (RFC 9457, 3.1.1).
    static var type: String { get }

    /// The kind of problem in a few words, the same at each occurrence.
    static var title: String { get }

    /// What went wrong this time, for the one who asked.
    var detail: String? { get }
}

extension DeclaredProblem {
    /// Nothing but what the type says.
    public var detail: String? { nil }

    /// The response.
    public var problem: Problem {
        Problem(status: Self.status, type: Self.type, title: Self.title, detail: detail)
    }
}
