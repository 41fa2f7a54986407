/// A parser of request heads (RFC 9112 §2 to §3, RFC 9110 §5), without I/O and clock.
///
/// It allocates only at creation, and belongs to one loop.
///
/// An incomplete head is `partial`. It is parsed again from its start when more bytes have arrived,
/// so there is no state in between. Errors are reported early: a bare LF or a NUL is rejected
/// before the head is complete.
package final class RequestParser {
    package enum Verdict: Equatable {
        /// `head` is the request's head.
        case complete
        /// The bytes are valid so far, but incomplete.
        case partial
        /// The request is rejected, and the connection will be closed.
        case failed(ProtocolError)
    }

    package let limits: HeadLimits
    /// The scheme of targets without one: https if the connections use TLS.
    private let scheme: Scheme
    /// The address of the last parsed head, which the next one overwrites.
    package var headPlace: UnsafePointer<RequestHead> { UnsafePointer(place) }

    /// The last parsed head.
    package var head: RequestHead { unsafeAddress { UnsafePointer(place) } }

    private let place = UnsafeMutablePointer<RequestHead>.allocate(capacity: 1)
    private var current: RequestHead {
        unsafeAddress { UnsafePointer(place) }
        unsafeMutableAddress { place }
    }

    private let lines: UnsafeMutablePointer<FieldLine>
    @exclusivity(unchecked) private var lineCount = 0
    /// Memory for a path's normal form.
    private let normalPath: UnsafeMutablePointer<UInt8>

    package init(limits: HeadLimits = HeadLimits(), scheme: Scheme = .http) {
        self.limits = limits
        self.scheme = scheme
        place.initialize(to: RequestHead())
        lines = .allocate(capacity: max(limits.fields, 1))
        normalPath = .allocate(capacity: max(limits.target, 1))
    }

    deinit {
        place.deallocate()
        lines.deallocate()
        normalPath.deallocate()
    }

    /// Parses the head at the start of `input`.
    package func parse(_ input: ByteSpan) -> Verdict {
        do {
            return try readHead(input) ? .complete : try partial(input)
        } catch {
            return .failed(error)
        }
    }

    /// Rejects an incomplete head that has reached the limit.
    private func partial(_ input: ByteSpan) throws(ProtocolError) -> Verdict {
        guard input.count >= limits.head else { return .partial }
        // The whole input is a method, longer than any known one (RFC 9112 §3).
        let start = input.first == 0x0D ? min(2, input.count) : 0
        let line = input.slice(start, max(start, min(input.count, limits.head)))
        if line.allSatisfy(ByteClass.isToken) {
            throw ProtocolError(501, "an unknown method")
        }
        throw ProtocolError(431, "the head is larger than this server accepts")
    }

    private func readHead(_ input: ByteSpan) throws(ProtocolError) -> Bool {
        guard let base = input.baseAddress else { return false }
        let end = base + min(input.count, limits.head)
        var cursor = base
        // Reset first: the response to an error depends on the method, which must not be an earlier
        // request's.
        current = RequestHead()
        current.scheme = scheme
        lineCount = 0
        // One empty line before the request line is ignored (RFC 9112 §2.2).
        if cursor < end, cursor.pointee == 0x0D {
            guard try HeadLine.skipEnd(&cursor, end) else { return false }
        }
        guard let target = try readRequestLine(&cursor, end) else { return false }
        var semantics = FieldSemantics()
        while true {
            guard cursor < end else { return false }
            if cursor.pointee == 0x0D {
                guard try HeadLine.skipEnd(&cursor, end) else { return false }
                break
            }
            guard try readFieldLine(&cursor, end, &semantics) else { return false }
        }
        current.fields = UnsafeBufferPointer(start: lines, count: lineCount)
        current.length = cursor - base
        if try TargetParser.read(target, into: &current) { current.normalizePath(in: normalPath) }
        try semantics.apply(to: &current)
        return true
    }

    /// Parses `method SP request-target SP HTTP-version CRLF` with single spaces (RFC 9112 §3).
    ///
    /// Returns the target; nil if the line is incomplete.
    @inline(__always)
    private func readRequestLine(
        _ cursor: inout UnsafePointer<UInt8>,
        _ end: UnsafePointer<UInt8>
    ) throws(ProtocolError) -> ByteSpan? {
        let methodStart = cursor
        while cursor < end, ByteClass.isToken(cursor.pointee) { cursor += 1 }
        guard cursor < end else { return nil }
        guard cursor.pointee == 0x20, cursor > methodStart else {
            throw Self.methodError(first: methodStart.pointee)
        }
        current.methodName = ByteSpan(start: methodStart, count: cursor - methodStart)
        current.method = Method(current.methodName)
        cursor += 1

        let targetStart = cursor
        cursor = cursor.passing(to: end) { $0.within(0x21, 0x7E) }
        while cursor < end, cursor.pointee &- 0x21 < 0x5E { cursor += 1 }
        guard cursor - targetStart <= limits.target else {
            throw ProtocolError(414, "the target is longer than this server accepts")
        }
        guard cursor < end else { return nil }
        guard cursor.pointee == 0x20, cursor > targetStart else {
            throw .bad("the request line is not: method, target, HTTP/1.1")
        }
        let target = ByteSpan(start: targetStart, count: cursor - targetStart)
        cursor += 1
        return try readVersion(&cursor, end) ? target : nil
    }

    private static func methodError(first: UInt8) -> ProtocolError {
        // The first byte of a TLS handshake (RFC 8446 §5.1).
        first == 0x16
            ? .bad("this port speaks plain HTTP, not HTTPS")
            : .bad("the request line has no valid method")
    }

    /// Parses `HTTP/1.x CRLF`.
    ///
    /// The name is case-sensitive (RFC 9112 §2.3).
    ///
    /// Another major version is rejected with 505. A higher minor version is treated as 1.1 (RFC
    /// 9110 §2.5).
    @inline(__always)
    private func readVersion(
        _ cursor: inout UnsafePointer<UInt8>,
        _ end: UnsafePointer<UInt8>
    ) throws(ProtocolError) -> Bool {
        let name: StaticString = "HTTP/"
        for index in 0..<5 {
            guard cursor + index < end else { return false }
            guard cursor[index] == name.utf8Start[index] else {
                throw .bad("the request line doesn't end with an HTTP version")
            }
        }
        guard cursor + 7 < end else { return false }
        let (major, dot, minor) = (cursor[5], cursor[6], cursor[7])
        guard ByteClass.isDigit(major), dot == 0x2E, ByteClass.isDigit(minor) else {
            throw .bad("the HTTP version is not: digit, dot, digit")
        }
        guard cursor + 8 < end else { return false }
        guard cursor[8] == 0x0D else { throw .bad("the HTTP version is not followed by CR LF") }
        cursor += 8
        guard try HeadLine.skipEnd(&cursor, end) else { return false }
        guard major == 0x31 else { throw ProtocolError(505, "this server speaks HTTP/1.1") }
        current.minorVersion = minor == 0x30 ? 0 : 1
        return true
    }

    /// Parses a field line and records it; returns false if it is incomplete.
    @inline(__always)
    private func readFieldLine(
        _ cursor: inout UnsafePointer<UInt8>,
        _ end: UnsafePointer<UInt8>,
        _ semantics: inout FieldSemantics
    ) throws(ProtocolError) -> Bool {
        guard let line = try HeadLine.field(&cursor, end) else { return false }
        guard lineCount < limits.fields else {
            throw ProtocolError(431, "the head has more fields than this server accepts")
        }
        (lines + lineCount).initialize(to: line)
        lineCount += 1
        try semantics.note(line)
        return true
    }
}
