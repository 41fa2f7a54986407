public import HTTPTypes

/// An error that an action's contract declares, so that callers can distinguish it.
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
/// An implementation throws one and responds with it: an RFC 9457 problem with its status, type and
/// title. The API's description lists each endpoint's declared problems.
public protocol DeclaredProblem: ProblemConvertible {
    /// The status of the response, from 400 to 599.
    static var status: HTTPResponse.Status { get }

    /// A URI that names the kind of problem (RFC 9457, 3.1.1).
    static var type: String { get }

    /// The kind of problem in a few words, the same at each occurrence.
    static var title: String { get }

    /// The cause of this occurrence, for the client.
    var detail: String? { get }
}

extension DeclaredProblem {
    /// No detail.
    public var detail: String? { nil }

    /// The response.
    public var problem: Problem {
        Problem(status: Self.status, type: Self.type, title: Self.title, detail: detail)
    }
}
