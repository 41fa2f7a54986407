/// An error in text that isn't JSON (RFC 8259), with its location.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The expected or rejected input, in words.
    public var message: String
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int
    /// The byte offset of the error.
    public var offset: Int
    /// The JSON Pointer (RFC 6901) of the innermost value that contains the error.
    ///
    /// It is empty for the whole document. One of more than 4 KiB is cut to a containing value.
    public var pointer: String

    /// Creates an error from its parts.
    public init(message: String, line: Int, column: Int, offset: Int, pointer: String = "") {
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset
        self.pointer = pointer
    }

    init(_ message: String, at offset: Int, in bytes: UnsafeRawBufferPointer, _ pointer: String) {
        let place = Place(of: offset, in: bytes)
        self.init(
            message: message,
            line: place.line,
            column: place.column,
            offset: offset,
            pointer: pointer
        )
    }

    /// The location and the message: `line 3, column 7: expected ',' or ']'`.
    public var description: String { "line \(line), column \(column): \(message)" }
}

/// A location in a text: line and column from 1, columns in Unicode scalars.
package struct Place: Hashable, Sendable {
    /// The line.
    package var line: Int
    /// The column.
    package var column: Int

    init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
        line = 1
        column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}
