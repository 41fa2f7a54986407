public import JSONCodec

/// Rules, segments or a context that can't be used: all that is wrong with them.
public struct TargetingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and where, at most 100 of them, in the document's order.
    public var problems: [JSONTypeError]

    /// Creates an error from what is wrong.
    public init(problems: [JSONTypeError]) { self.problems = problems }

    /// A line for each problem: `/0/when/==: takes 2 operands, not 1`.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
