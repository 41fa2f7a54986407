/// Finds the members of an object in one pass, which accepts exactly the texts that `TapeParser`
/// accepts.
///
/// It stores nothing of nested values, so it takes a fraction of the parser's time. Errors have no
/// location: the parser reports them.
struct ObjectScan {
    private var tokens: TokenScanner
    /// The object's members, followed by those of nested objects that are open.
    private(set) var members: ScannedMembers
    /// The slots of a large object's members: places in `members` from 1, 0 for an empty slot.
    private(set) var table: [UInt32] = []
    /// Whether a member is an array or an object.
    private(set) var hasContainers = false
    private let hash = NameHash.process
    private let depthLimit: Int
    /// The place of each open container's first member; -1 for an array.
    private let open: UnsafeMutablePointer<Int>
    private var depth = 0
    /// The last of `open`.
    private var first = -1

    /// Scans a text; nil if it isn't an object or isn't valid.
    ///
    /// The caller deallocates the members.
    static func scan(
        _ bytes: UnsafeRawBufferPointer,
        depth: Int = JSON.defaultDepth
    ) -> ObjectScan? {
        guard bytes.count <= Tape.maximumCount else { return nil }
        let depthLimit = min(depth, JSON.maximumDepth)
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: max(depthLimit, 1)) {
            open -> ObjectScan? in
            guard let open = open.baseAddress else { return nil }
            var scan = ObjectScan(TokenScanner(bytes), depthLimit, open)
            if (try? scan.document()) != nil { return scan }
            scan.members.deallocate()
            return nil
        }
    }

    private init(
        _ tokens: TokenScanner,
        _ depthLimit: Int,
        _ open: UnsafeMutablePointer<Int>
    ) {
        self.tokens = tokens
        self.depthLimit = depthLimit
        self.open = open
        members = ScannedMembers(capacity: min(max(tokens.bytes.count / 16, 8), 1_024))
    }

    @inline(__always)
    private mutating func document() throws(TokenError) {
        tokens.skipSpace()
        guard tokens.next == UInt8(ascii: "{") else { throw tokens.error("expected an object") }
        repeat {
            // One call each of these methods, so that all are inlined and the state is in registers.
            if first >= 0 { try name() }
            var isEscaped = false
            switch tokens.next {
            case UInt8(ascii: "\""): isEscaped = try tokens.string()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try tokens.number()
            case UInt8(ascii: "t"): try tokens.literal(.true)
            case UInt8(ascii: "f"): try tokens.literal(.false)
            case UInt8(ascii: "n"): try tokens.literal(.null)
            case UInt8(ascii: "{"):
                try enter(members.count)
                if tokens.next == UInt8(ascii: "}") { break }
                continue
            case UInt8(ascii: "["):
                try enter(-1)
                if tokens.next == UInt8(ascii: "]") { break }
                continue
            default: throw tokens.error("expected a value")
            }
            try moveToValue(after: isEscaped)
        } while depth > 0
        tokens.skipSpace()
        guard tokens.isAtEnd else { throw tokens.error("expected the end of the document") }
    }

    /// Closes containers up to the start of the next value, or up to the end of the object.
    @inline(__always)
    private mutating func moveToValue(after isEscaped: Bool) throws(TokenError) {
        if depth == 1 { members.endValue(tokens.at, isEscaped: isEscaped) }
        while true {
            tokens.skipSpace()
            let byte = tokens.next
            if byte == UInt8(ascii: ",") {
                tokens.at &+= 1
                tokens.skipSpace()
                return
            }
            guard byte == (first < 0 ? UInt8(ascii: "]") : UInt8(ascii: "}")) else {
                throw tokens.error("expected the end of a container")
            }
            tokens.at &+= 1
            try leave()
            if depth == 0 { return }
            if depth == 1 { members.endValue(tokens.at, isEscaped: false) }
        }
    }

    @inline(__always)
    private mutating func name() throws(TokenError) {
        guard tokens.next == UInt8(ascii: "\"") else { throw tokens.error("expected a name") }
        let start = tokens.at &+ 1
        let isEscaped = try tokens.string()
        let length = tokens.at &- 1 &- start
        let hash = hash(tokens.bytes, start, length, isEscaped: isEscaped)
        tokens.skipSpace()
        guard tokens.next == UInt8(ascii: ":") else { throw tokens.error("expected ':'") }
        tokens.at &+= 1
        tokens.skipSpace()
        members.append(
            ScannedMember(
                hash: hash,
                nameStart: UInt32(truncatingIfNeeded: start),
                nameLength: UInt32(truncatingIfNeeded: length),
                valueStart: UInt32(truncatingIfNeeded: tokens.at),
                isNameEscaped: isEscaped
            )
        )
    }

    @inline(__always)
    private mutating func enter(_ first: Int) throws(TokenError) {
        guard depth < depthLimit else { throw tokens.error("nested too deep") }
        if depth == 1 { hasContainers = true }
        open[depth] = first
        depth &+= 1
        self.first = first
        tokens.at &+= 1
        tokens.skipSpace()
    }

    @inline(__always)
    private mutating func leave() throws(TokenError) {
        if first >= 0, members.count > first &+ 1 {
            guard let table = members.table(from: first, in: tokens.bytes, reusing: table) else {
                throw tokens.error("a member's name is given twice")
            }
            self.table = table
        }
        // The outermost object's members remain.
        if first > 0 { members.count = first }
        depth &-= 1
        first = depth > 0 ? open[depth &- 1] : -1
    }
}
