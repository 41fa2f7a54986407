public import HTTPTypes
public import JSONCodec
public import Plug

/// The cause of a failed request, in the form of RFC 9457.
///
/// It is also an error: an action that throws one responds with it and its status.
/// ```swift
/// throw Problem.notFound("There is no photo 42.")
/// ```
public struct Problem: Error, Sendable, Equatable {
    /// The media type of a problem on the wire.
    public static let mediaType = "application/problem+json"

    /// A URI that names the kind of problem; `about:blank` if the status says everything.
    public var type: String

    /// The kind of problem in a few words, the same at each occurrence.
    public var title: String

    /// The status of the response, from 400 to 599; any other value becomes 500.
    public var status: HTTPResponse.Status {
        didSet { status = Self.clamp(status) }
    }

    /// The cause of this occurrence, for the client.
    public var detail: String?

    /// A URI reference that names this occurrence.
    public var instance: String?

    /// The faults of the input, one per member.
    public var errors: [FieldError]?

    /// The extension members that RFC 9457 allows, including those of an upstream's problem.
    public var members: JSON.Object

    /// The body of an upstream's error in JSON, if it isn't a problem; nil otherwise.
    ///
    /// ```swift
    /// catch let problem as Problem { show(try problem.body?.decode(GitHubError.self)) }
    /// ```
    /// An action that throws the problem doesn't send it.
    public package(set) var body: JSON?

    /// Creates a problem.
    ///
    /// The default title is the status' reason phrase (RFC 9457, 4.2.1).
    public init(
        status: HTTPResponse.Status,
        type: String = "about:blank",
        title: String? = nil,
        detail: String? = nil,
        instance: String? = nil,
        errors: [FieldError]? = nil,
        members: JSON.Object = JSON.Object()
    ) {
        self.status = Self.clamp(status)
        self.type = type
        self.title = title ?? Self.reasonPhrase(of: self.status)
        self.detail = detail
        self.instance = instance
        self.errors = errors
        self.members = members
    }

    private static func clamp(_ status: HTTPResponse.Status) -> HTTPResponse.Status {
        (400...599).contains(status.code) ? status : .internalServerError
    }
}

extension Problem {
    /// The fault of one member of an input.
    public struct FieldError: Sendable, Hashable, Codable {
        /// The member as a JSON Pointer (RFC 6901): `/user/name`.
        public var pointer: String
        /// The description of the fault.
        public var detail: String

        /// Creates an error of a member.
        public init(pointer: String, detail: String) {
            self.pointer = pointer
            self.detail = detail
        }
    }
}

/// An error that declares the response for the client.
public protocol ProblemConvertible: CallerFault {
    /// The response.
    var problem: Problem { get }
}

extension Problem: ProblemConvertible {
    /// The problem itself.
    public var problem: Problem { self }
}

extension Problem: CustomStringConvertible {
    /// The status, the title and the detail on one line.
    public var description: String {
        "\(status.code) \(title)" + (detail.map { ": \($0)" } ?? "")
    }
}
