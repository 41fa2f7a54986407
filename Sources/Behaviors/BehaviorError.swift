/// Text that is no behavior, or no JSON at all, and where.
public struct BehaviorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place as a JSON Pointer (RFC 6901); the empty one is the whole document.
    ///
    /// Of a missing member it is where the member would be; line and column are its object's.
    public var pointer: String
    /// What was expected: `missing`, `expected a string`.
    public var message: String
    /// The line, the first being 1.
    public var line: Int
    /// The column in Unicode scalars, the first of a line being 1.
    public var column: Int

    /// Creates an error from its parts.
    public init(pointer: String, message: String, line: Int, column: Int) {
        self.pointer = pointer
        self.message = message
        self.line = line
        self.column = column
    }

    /// Tells where text isn't JSON.
    package init(_ error: JSONError) {
        self.init(
            pointer: error.pointer,
            message: error.message,
            line: error.line,
            column: error.column
        )
    }

    init(_ problem: ShapeProblem, in bytes: [UInt8]) {
        let pointer = JSONPointer.text(problem.path)
        let place = bytes.withUnsafeBytes { JSON.place(of: pointer, in: $0) }
        self.init(
            pointer: pointer,
            message: problem.message,
            line: place?.line ?? 1,
            column: place?.column ?? 1
        )
    }

    /// The place and the message: `line 3, column 9: /0/name: expected a string`.
    public var description: String {
        "line \(line), column \(column): \(pointer.isEmpty ? "" : "\(pointer): ")\(message)"
    }
}
