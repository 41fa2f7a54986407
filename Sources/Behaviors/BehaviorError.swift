/// An error in a behavior's text, with its location.
public struct BehaviorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The location as a JSON Pointer (RFC 6901); empty for the whole document.
    ///
    /// For a missing member it is the member's location; line and column are its object's.
    public var pointer: String
    /// The expectation: `missing`, `expected a string`.
    public var message: String
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int

    /// Creates an error from its parts.
    public init(pointer: String, message: String, line: Int, column: Int) {
        self.pointer = pointer
        self.message = message
        self.line = line
        self.column = column
    }

    /// Converts an error of the JSON parser.
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

    /// The location and the message: `line 3, column 9: /0/name: expected a string`.
    public var description: String {
        "line \(line), column \(column): \(pointer.isEmpty ? "" : "\(pointer): ")\(message)"
    }
}
