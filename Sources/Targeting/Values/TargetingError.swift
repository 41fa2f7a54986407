public import JSONCodec

/// Invalid rules, segments or an invalid context, with all problems.
public struct TargetingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, at most 100, in the document's order.
    public var problems: [JSONTypeError]

    /// Creates an error from problems.
    public init(problems: [JSONTypeError]) { self.problems = problems }

    /// One line for each problem: `/0/when/==: takes 2 operands, not 1`.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
