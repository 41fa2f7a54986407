/// A parser of request targets in all forms (RFC 9112 §3.2).
package enum TargetParser {
    private static let root: StaticString = "/"
    private static let asterisk: StaticString = "*"

    /// Parses a target into `head`, whose method is already set.
    ///
    /// - Returns: Whether the path has escapes, so that the caller has to call
    ///   ``RequestHead/normalizePath(in:)``.
    package static func read(
        _ target: ByteSpan,
        into head: inout RequestHead
    ) throws(ProtocolError) -> Bool {
        if head.method == .connect {
            guard Authority.isValid(target), Authority.port(of: target) != nil else {
                throw .bad("CONNECT needs host:port as its target")
            }
            head.form = .authority
            head.authority = target
            setPath(ByteSpan(start: root.utf8Start, count: 1), of: &head)
        } else if target[0] == 0x2F {
            return try readPathAndQuery(target, into: &head)
        } else if target.count == 1, target[0] == 0x2A {
            guard head.method == .options else { throw .bad("the target * is for OPTIONS only") }
            head.form = .asterisk
            setPath(target, of: &head)
        } else {
            return try readAbsolute(target, into: &head)
        }
        return false
    }

    @inline(__always)
    private static func setPath(_ path: ByteSpan, of head: inout RequestHead) {
        head.rawPath = path
        head.path = path
    }

    /// Parses `http://authority/path?query`, a proxy's form that servers have to accept, too
    /// (§3.2.2).
    private static func readAbsolute(
        _ target: ByteSpan,
        into head: inout RequestHead
    ) throws(ProtocolError) -> Bool {
        let start =
            target.count > 7 && target.slice(0, 7).equals(lowercase: "http://")
            ? 7 : target.count > 8 && target.slice(0, 8).equals(lowercase: "https://") ? 8 : 0
        guard start > 0 else { throw .bad("the target is neither a path nor an http URI") }
        var end = start
        while end < target.count, target[end] != 0x2F, target[end] != 0x3F { end += 1 }
        let authority = target.slice(start, end)
        guard Authority.isValid(authority) else { throw .bad("an invalid authority in the target") }
        head.form = .absolute
        head.scheme = start == 7 ? .http : .https
        head.authority = authority
        if end < target.count, target[end] == 0x2F {
            return try readPathAndQuery(target.slice(end, target.count), into: &head)
        }
        if end == target.count, head.method == .options {
            setPath(ByteSpan(start: asterisk.utf8Start, count: 1), of: &head)  // §3.2.4
        } else {
            setPath(ByteSpan(start: root.utf8Start, count: 1), of: &head)
            if end < target.count {
                head.query = try query(target.slice(end + 1, target.count))
            }
        }
        return false
    }

    @inline(__always)
    private static func readPathAndQuery(
        _ target: ByteSpan,
        into head: inout RequestHead
    ) throws(ProtocolError) -> Bool {
        var end = target.passing { $0.letters | $0.within(0x2D, 0x39) }
        var hasEscapes = false
        while end < target.count, ByteClass.isPath(target[end]) {
            if target[end] == 0x25 {
                guard try checkEscape(target, at: end) != 0 else { throw .bad("a NUL in the path") }
                hasEscapes = true
            }
            end += 1
        }
        setPath(target.slice(0, end), of: &head)
        guard end < target.count else { return hasEscapes }
        guard target[end] == 0x3F else { throw .bad("an invalid character in the path") }
        head.query = try query(target.slice(end + 1, target.count))
        return hasEscapes
    }

    /// Checks a query's characters.
    ///
    /// Browsers send a "%" without digits as it is (WHATWG URL, query state). The reader of the
    /// parameter rejects it.
    private static func query(_ query: ByteSpan) throws(ProtocolError) -> ByteSpan {
        var index = 0
        while index < query.count {
            // Letters, "&" to ";", and "=" are most of the bytes.
            index += query.slice(index, query.count).passing {
                $0.letters | $0.within(0x26, 0x3B) | $0.within(0x3D, 0x3D)
            }
            guard index < query.count else { break }
            guard ByteClass.isQuery(query[index]) else {
                throw .bad("an invalid character in the query")
            }
            index += 1
        }
        return query
    }

    /// Checks an escape: "%" and two hexadecimal digits (RFC 3986 §2.1).
    ///
    /// Returns its byte. A path rejects NUL, which ends strings in C.
    @inline(__always)
    private static func checkEscape(
        _ bytes: ByteSpan,
        at index: Int
    ) throws(ProtocolError) -> UInt8 {
        guard let octet = PercentCoding.octet(in: bytes, at: index) else {
            throw .bad("a % in the target without two hexadecimal digits")
        }
        return octet
    }
}
