/// A field line: its name as sent, and its value without surrounding white space.
package struct FieldLine {
    package var name: ByteSpan
    package var value: ByteSpan

    package init(name: ByteSpan, value: ByteSpan) {
        self.name = name
        self.value = value
    }
}

/// Parses the lines of request and response heads (RFC 9112 §2.2, §5).
///
/// Each function reads from `cursor`, advances it, and stops before `end`.
enum HeadLine {
    /// Parses CR LF; returns false if the LF hasn't arrived.
    @inline(__always)
    static func skipEnd(
        _ cursor: inout UnsafePointer<UInt8>,
        _ end: UnsafePointer<UInt8>
    ) throws(ProtocolError) -> Bool {
        guard cursor + 1 < end else { return false }
        guard cursor[1] == 0x0A else { throw .bad("a CR without an LF") }
        cursor += 2
        return true
    }

    /// Parses `field-name ":" OWS field-value OWS CRLF`; returns nil if the line is incomplete.
    ///
    /// Rejects folding, a space before the colon, and control characters: different parsers
    /// disagree about them, which allows request smuggling.
    @inline(__always)
    static func field(
        _ cursor: inout UnsafePointer<UInt8>,
        _ end: UnsafePointer<UInt8>
    ) throws(ProtocolError) -> FieldLine? {
        let nameStart = cursor
        cursor = cursor.passing(to: end) { $0.letters | $0.within(0x2D, 0x2D) }
        while cursor < end, ByteClass.isToken(cursor.pointee) { cursor += 1 }
        guard cursor < end else { return nil }
        guard cursor.pointee == 0x3A, cursor > nameStart else {
            throw nameError(at: cursor, start: nameStart)
        }
        let nameEnd = cursor
        cursor += 1
        while cursor < end, cursor.pointee == 0x20 || cursor.pointee == 0x09 { cursor += 1 }
        let valueStart = cursor
        cursor = endOfText(cursor, end)
        guard cursor < end else { return nil }
        guard cursor.pointee == 0x0D else { throw textError(at: cursor) }
        var valueEnd = cursor
        guard try skipEnd(&cursor, end) else { return nil }
        while valueEnd > valueStart, valueEnd[-1] == 0x20 || valueEnd[-1] == 0x09 { valueEnd -= 1 }
        return FieldLine(
            name: ByteSpan(start: nameStart, count: nameEnd - nameStart),
            value: ByteSpan(start: valueStart, count: valueEnd - valueStart)
        )
    }

    /// Returns the first byte that is invalid in field values and reason phrases.
    @inline(__always)
    static func endOfText(
        _ start: UnsafePointer<UInt8>,
        _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var cursor = start.passing(to: end) { $0.within(0x20, 0x7E) | $0.others }
        while cursor < end, ByteClass.isFieldValue(cursor.pointee) { cursor += 1 }
        return cursor
    }

    /// The error for a text that ends with a byte other than CR.
    static func textError(at cursor: UnsafePointer<UInt8>) -> ProtocolError {
        .bad(
            cursor.pointee == 0x0A
                ? "a line that ends with a bare LF" : "a control character in a field value"
        )
    }

    private static func nameError(
        at cursor: UnsafePointer<UInt8>,
        start: UnsafePointer<UInt8>
    ) -> ProtocolError {
        switch cursor.pointee {
        case 0x20, 0x09:
            cursor == start
                ? .bad("a line that begins with white space (folding is obsolete)")
                : .bad("white space between a field's name and its colon")
        case 0x0A: .bad("a line that ends with a bare LF")
        case 0x0D: .bad("a field line without a colon")
        case 0x3A: .bad("a field without a name")
        default: .bad("an invalid character in a field name")
        }
    }
}
