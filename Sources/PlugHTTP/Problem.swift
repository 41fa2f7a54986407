public import HTTPTypes
public import JSONCodec
public import Plug

/// Why a request failed, in the form of RFC 9457: what an API says instead of an output.
///
/// It is an error too: throw one from an action and it is the response, status and all.
/// ```swift
/// throw Problem.notFound("There is no photo 42.")
/// ```
public struct Problem: Error, Sendable, Equatable {
    /// The media type of a problem on the wire.
    public static let mediaType = "application/problem+json"

    /// A URI that names the kind of problem; `about:blank` where the status says it all.
    public var type: String

    /// The kind of problem in a few words, the same at each occurrence.
    public var title: String

    /// The status of the response, from 400 to 599; whatever else it is set to becomes 500.
    public var status: HTTPResponse.Status {
        didSet { status = Self.clamp(status) }
    }

    /// What went wrong this time, for the one who asked.
    public var detail: String?

    /// A URI reference that names this occurrence.
    public var instance: String?

    /// What is wrong with the input, member by member.
    public var errors: [FieldError]?

    /// The members that RFC 9457 leaves to each API; those of an upstream's problem are kept here.
    public var members: JSON.Object

    /// A problem of that status.
    ///
    /// Without a title it has the status' reason phrase (RFC 9457, 4.2.1).
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
    /// What is wrong with one member of an input.
    public struct FieldError: Sendable, Hashable, Codable {
        /// The member as a JSON Pointer (RFC 6901): `/user/name`.
        public var pointer: String
        /// What is wrong with it.
        public var detail: String

        /// An error of that member.
        public init(pointer: String, detail: String) {
            self.pointer = pointer
            self.detail = detail
        }
    }
}

/// An error that knows what the one who asked may be told of it.
public protocol ProblemConvertible: CallerBlaming {
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
