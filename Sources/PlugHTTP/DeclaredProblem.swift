public import HTTPTypes
import JSONCodec
package import Plug

/// An error that an action's contract declares, so that callers can distinguish it.
///
/// ```swift
/// struct SoldOut: DeclaredProblem {
///     static let status = HTTPResponse.Status.conflict
///     static let type = "https://example.com/problems/sold-out"
///     static let title = "Sold out"
///     var detail: String?
///     var left: Int
/// }
/// class Order: Action<…>, POST {
///     static var problems: [any DeclaredProblem.Type] { [SoldOut.self] }
/// }
/// ```
/// An implementation throws one, and the server responds with an RFC 9457 problem of its status, type
/// and title. Its stored members are the problem's extension members (RFC 9457, 3.2). The client
/// throws the same type. The API's description lists each endpoint's declared problems.
public protocol DeclaredProblem: ProblemConvertible, Codable {
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

    /// The response; a `500`, which is logged, if the stored members can't be encoded.
    public var problem: Problem {
        guard let encoded = try? JSON(encoding: self) else { return .internalServerError() }
        let stored = encoded.object ?? JSON.Object()
        return Problem(
            status: Self.status,
            type: Self.type,
            title: Self.title,
            detail: detail,
            members: JSON.Object(
                stored.filter { !Problem.memberNames.contains($0.0) }.map { ($0.0, $0.1) }
            )
        )
    }

    /// Reads the problem from a response; nil if it is of another type or lacks members.
    fileprivate init?(_ problem: Problem) {
        // The type is the primary identifier (RFC 9457 §3.1.1). This one names no kind of problem.
        guard problem.type == Self.type, problem.type != "about:blank",
            let own = try? JSON(encoding: problem).decode(Self.self)
        else { return nil }
        self = own
    }
}

extension Problem {
    /// The names of RFC 9457's members, and of the errors of an input.
    package static let memberNames: Set<String> = [
        "type", "title", "status", "detail", "instance", "errors",
    ]

    /// Returns the problem as the type that the action declares for it; itself if there is none.
    package func declared(by action: any ActionProtocol.Type) -> any Error {
        func read<P: DeclaredProblem>(_ type: P.Type) -> (any Error)? { P(self) }
        for type in (action as? any Endpoint.Type)?.problems ?? [] {
            if let own = read(type) { return own }
        }
        return self
    }
}
