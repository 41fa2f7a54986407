/// Text that is not JSON (RFC 8259), and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected or refused, in words.
    public var message: String
    /// The line, the first being 1.
    public var line: Int
    /// The column in Unicode scalars, the first of a line being 1.
    public var column: Int
    /// How many bytes lie before the place.
    public var offset: Int
    /// The innermost value that the place is in, as a JSON Pointer (RFC 6901) into what was read so far.
    ///
    /// The empty one is the whole document. One of more than 4 KiB ends at a value around it.
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

    /// The place and the message: `line 3, column 7: expected ',' or ']'`.
    public var description: String { "line \(line), column \(column): \(message)" }
}

/// A place in a text as people count it: lines and columns from 1, columns in Unicode scalars.
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
