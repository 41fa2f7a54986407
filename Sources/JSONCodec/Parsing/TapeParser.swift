/// Parses a document to a tape, strictly by RFC 8259 and with unique names (RFC 7493).
///
/// It isn't recursive: an open container's node stores the index of its container.
struct TapeParser {
    let tape: Tape
    let depthBound: Int
    private var tokens: TokenScanner
    private var depth = 0
    /// The index of the innermost open container.
    private(set) var open = Self.none

    static let none = Int(UInt32.max)

    init(_ tape: Tape, depth: Int) {
        self.tape = tape
        tokens = TokenScanner(tape.bytes)
        depthBound = min(depth, JSON.maximumDepth)
    }

    var bytes: UnsafeRawBufferPointer { tokens.bytes }

    private(set) var at: Int {
        get { tokens.at }
        set { tokens.at = newValue }
    }

    /// Parses the document, which is exactly one value.
    mutating func document() throws(JSONError) {
        guard bytes.count <= Tape.maximumCount else { throw error("the document is too large") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw error("a byte order mark is not allowed")
        }
        skipSpace()
        while try value() {}
        skipSpace()
        guard tokens.isAtEnd else { throw error("expected the end of the document") }
    }

    /// Parses a value or the start of a container; returns false at the end of the document's
    /// value.
    private mutating func value() throws(JSONError) -> Bool {
        guard at < bytes.count else { throw error("expected a value") }
        let start = at
        switch bytes[at] {
        case UInt8(ascii: "{"):
            try enter(.object)
            if at < bytes.count, bytes[at] == UInt8(ascii: "}") { break }
            try name()
            return true
        case UInt8(ascii: "["):
            try enter(.array)
            if at < bytes.count, bytes[at] == UInt8(ascii: "]") { break }
            return true
        case UInt8(ascii: "\""):
            let isEscaped = try token { (tokens) throws(TokenError) in try tokens.string() }
            append(.string, from: start + 1, to: at - 1, isEscaped: isEscaped)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try token { (tokens) throws(TokenError) in try tokens.number() }
            append(.number, from: start, to: at)
        case UInt8(ascii: "t"):
            try token { (tokens) throws(TokenError) in try tokens.literal(.true) }
            append(.true, from: start, to: at)
        case UInt8(ascii: "f"):
            try token { (tokens) throws(TokenError) in try tokens.literal(.false) }
            append(.false, from: start, to: at)
        case UInt8(ascii: "n"):
            try token { (tokens) throws(TokenError) in try tokens.literal(.null) }
            append(.null, from: start, to: at)
        default:
            throw error("expected a value")
        }
        return try afterValue()
    }

    /// Closes containers up to the start of the next value; returns false at the document's end.
    private mutating func afterValue() throws(JSONError) -> Bool {
        while open != Self.none {
            skipSpace()
            let isObject = tape.nodes[open].kind == .object
            let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            let byte = at < bytes.count ? bytes[at] : 0
            if byte == close {
                at += 1
                try leave()
            } else if byte == UInt8(ascii: ",") {
                at += 1
                skipSpace()
                if isObject { try name() }
                return true
            } else {
                throw error("expected ',' or '\(isObject ? "}" : "]")'", isValue: false)
            }
        }
        return false
    }

    private mutating func enter(_ kind: Node.Kind) throws(JSONError) {
        guard depth < depthBound else { throw error("nested deeper than \(depthBound)") }
        depth += 1
        countValue()
        open = tape.append(Node(kind, start: at, next: open))
        at += 1
        skipSpace()
    }

    private mutating func leave() throws(JSONError) {
        let container = open
        let outer = tape.nodes[container].next
        depth -= 1
        open = outer == .max ? Self.none : Int(outer)
        tape.nodes[container].next = UInt32(truncatingIfNeeded: tape.count)
        guard tape.nodes[container].kind == .object, tape.nodes[container].length > 1 else {
            return
        }
        let repeated =
            tape.nodes[container].length > NameTables.linearCount
            ? tape.names.add(container, of: tape)
            : tape.repeatedName(in: container)
        guard let repeated else { return }
        let name = tape.nodes[repeated]
        let pointer = pointer(to: container, in: open) + "/" + token(name)
        let start = Int(name.start) - 1
        throw JSONError("a member's name is given twice", at: start, in: bytes, pointer)
    }

    private mutating func name() throws(JSONError) {
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
            throw error("expected a member's name", isValue: false)
        }
        let start = at + 1
        let isEscaped = try token { (tokens) throws(TokenError) in try tokens.string() }
        var node = Node(.string, start: start, length: at - 1 - start)
        node.isEscaped = isEscaped
        _ = tape.append(node)
        tape.memberCount += 1
        skipSpace()
        guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { throw error("expected ':'") }
        at += 1
        skipSpace()
    }

    @inline(__always)
    private mutating func append(
        _ kind: Node.Kind,
        from start: Int,
        to end: Int,
        isEscaped: Bool = false
    ) {
        countValue()
        var node = Node(kind, start: start, length: end - start, next: tape.count + 1)
        node.isEscaped = isEscaped
        _ = tape.append(node)
    }

    @inline(__always)
    private mutating func countValue() {
        if open != Self.none { tape.nodes[open].length += 1 }
    }

    /// Moves past a token; an error gets its JSON Pointer.
    @inline(__always)
    private mutating func token<R>(
        _ move: (inout TokenScanner) throws(TokenError) -> R
    ) throws(JSONError) -> R {
        do throws(TokenError) {
            return try move(&tokens)
        } catch {
            throw self.error(error.message, at: error.offset)
        }
    }

    @inline(__always)
    private mutating func skipSpace() { tokens.skipSpace() }
}
