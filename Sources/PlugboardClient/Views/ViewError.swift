public import JSONCodec

/// A value that a view can't read, with all problems.
public struct ViewError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems: the location, the expected and the found type.
    public var problems: [JSONTypeError]

    /// Creates an error from problems.
    public init(problems: [JSONTypeError]) { self.problems = problems }

    /// One line for each problem: `/id: expected an integer, found a string`.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
