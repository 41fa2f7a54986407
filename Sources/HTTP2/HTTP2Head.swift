internal import CNghttp2
package import HTTPSyntax

/// A request's head, collected field by field from HPACK.
///
/// Nothing is copied: it retains nghttp2's reference-counted buffers of names and values. nghttp2
/// checks the rules of RFC 9113 §8 for each field. This type checks the rest.
package final class HTTP2Head {
    /// The size added for each field (RFC 9113 §6.5.2).
    private static let fieldOverhead = 32

    private let limits: HeadLimits
    /// The pool of the buffers.
    private let memory: HTTP2Memory?
    private let lines: UnsafeMutablePointer<FieldLine>
    private let buffers: UnsafeMutablePointer<OpaquePointer?>
    @exclusivity(unchecked) private var lineCount = 0
    @exclusivity(unchecked) private var bufferCount = 0
    @exclusivity(unchecked) private var fieldCount = 0
    /// The number of cookie lines, into which clients may split a Cookie field (RFC 9113 §8.2.3).
    @exclusivity(unchecked) private var cookies = 0
    @exclusivity(unchecked) private var joined: UnsafeMutablePointer<UInt8>?
    /// The normal form of a path with escapes.
    @exclusivity(unchecked) private var normalPath: UnsafeMutablePointer<UInt8>?
    @exclusivity(unchecked) private(set) var size = 0
    @exclusivity(unchecked) private(set) var method = Method.unknown
    @exclusivity(unchecked) private var methodName = ByteSpan(start: nil, count: 0)
    @exclusivity(unchecked) private var target = ByteSpan(start: nil, count: 0)
    @exclusivity(unchecked) private var scheme: ByteSpan?
    @exclusivity(unchecked) private var authority: ByteSpan?
    private let place = UnsafeMutablePointer<RequestHead>.allocate(capacity: 1)
    private var request: RequestHead {
        unsafeAddress { UnsafePointer(place) }
        unsafeMutableAddress { place }
    }

    init(limits: HeadLimits, _ memory: HTTP2Memory?) {
        place.initialize(to: RequestHead())
        self.limits = limits
        self.memory = memory
        lines = .allocate(capacity: max(limits.fields, 1))
        buffers = .allocate(capacity: limits.fields * 2 + Self.pseudoFields)
    }

    private static let pseudoFields = 8

    /// Moves a complete head to a new object, without room for more fields.
    init(moving head: HTTP2Head) {
        place.initialize(to: head.request)
        limits = head.limits
        memory = head.memory
        lines = .allocate(capacity: max(head.lineCount, 1))
        buffers = .allocate(capacity: max(head.bufferCount, 1))
        lines.initialize(from: head.lines, count: head.lineCount)
        buffers.initialize(from: head.buffers, count: head.bufferCount)
        (lineCount, bufferCount, size) = (head.lineCount, head.bufferCount, head.size)
        (method, joined, normalPath) = (head.method, head.joined, head.normalPath)
        request.fields = UnsafeBufferPointer(start: lines, count: lineCount)
        (head.bufferCount, head.joined, head.normalPath) = (0, nil, nil)
    }

    deinit {
        release()
        place.deallocate()
        lines.deallocate()
        buffers.deallocate()
    }

    /// The complete head, valid until `reset`.
    package var requestHead: RequestHead { unsafeAddress { UnsafePointer(place) } }

    /// The address of the complete head.
    package var headPlace: UnsafePointer<RequestHead> { UnsafePointer(place) }

    var isTooLarge: Bool { size > limits.head || fieldCount > limits.fields }

    private func release() {
        for index in 0..<bufferCount { nghttp2_rcbuf_decref(buffers[index]) }
        bufferCount = 0
        joined?.deallocate()
        normalPath?.deallocate()
        (joined, normalPath) = (nil, nil)
    }

    /// Discards the request.
    func reset() {
        release()
        (lineCount, fieldCount, cookies, size) = (0, 0, 0, 0)
        method = .unknown
        methodName = ByteSpan(start: nil, count: 0)
        target = ByteSpan(start: nil, count: 0)
        scheme = nil
        authority = nil
    }

    /// Adds a field that nghttp2 has accepted.
    ///
    /// Fields beyond the limits are only counted.
    func add(_ name: OpaquePointer?, _ value: OpaquePointer?) {
        let line = FieldLine(name: span(name), value: span(value))
        size += line.name.count + line.value.count + Self.fieldOverhead
        let isPseudo = line.name.first == 0x3A
        if !isPseudo { fieldCount += 1 }
        guard !isTooLarge else { return }
        if isPseudo {
            guard bufferCount < Self.pseudoFields else { return }
            hold(value)
            notePseudo(line)
        } else {
            hold(name)
            hold(value)
            if line.name.equals(lowercase: "cookie") { cookies += 1 }
            (lines + lineCount).initialize(to: line)
            lineCount += 1
        }
    }

    private func span(_ buffer: OpaquePointer?) -> ByteSpan {
        let bytes = nghttp2_rcbuf_get_buf(buffer)
        return ByteSpan(start: bytes.base, count: bytes.len)
    }

    private func hold(_ buffer: OpaquePointer?) {
        nghttp2_rcbuf_incref(buffer)
        buffers[bufferCount] = buffer
        bufferCount += 1
    }

    private func notePseudo(_ line: FieldLine) {
        switch line.name.count {
        case 5: target = line.value
        case 7 where line.name[1] == 0x6D: (method, methodName) = (Method(line.value), line.value)
        case 7: scheme = line.value
        default: authority = line.value
        }
    }

    /// Checks the complete head (RFC 9113 §8.3.1; RFC 9110 §7.2, §10.1.1).
    func finish(hasBody: Bool) throws(ProtocolError) {
        guard !isTooLarge else {
            throw ProtocolError(431, "the head is larger than this server accepts")
        }
        guard target.count <= limits.target else {
            throw ProtocolError(414, "the target is longer than this server accepts")
        }
        request = RequestHead()
        request.majorVersion = 2
        request.method = method
        request.methodName = methodName
        if cookies > 1 { joinCookies() }
        request.fields = UnsafeBufferPointer(start: lines, count: lineCount)
        request.length = size
        try readTarget()
        try request.applyHTTP2Fields(authority: authority, hasBody: hasBody)
    }

    private func readTarget() throws(ProtocolError) {
        guard method != .connect else {
            // CONNECT has its target in :authority and no :path (§8.5).
            guard let authority else { throw .bad("CONNECT without :authority") }
            _ = try TargetParser.read(authority, into: &request)
            return
        }
        guard let scheme, scheme.equals(lowercase: "http") || scheme.equals(lowercase: "https")
        else { throw .bad("a :scheme other than http and https") }
        request.scheme = scheme.count == 4 ? .http : .https
        guard target.first == 0x2F || target.equals("*") else {
            throw .bad("a :path that isn't a path")
        }
        guard try TargetParser.read(target, into: &request) else { return }
        let room = UnsafeMutablePointer<UInt8>.allocate(capacity: request.rawPath.count)
        normalPath = room
        request.normalizePath(in: room)
    }

    /// Joins all cookie lines into one field at the first line's place (RFC 9113 §8.2.3).
    private func joinCookies() {
        let room = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        joined = room
        var (length, first, kept) = (0, -1, 0)
        for index in 0..<lineCount {
            let line = lines[index]
            if line.name.equals(lowercase: "cookie") {
                if length > 0, !line.value.isEmpty {
                    room[length] = 0x3B
                    room[length + 1] = 0x20
                    length += 2
                }
                if let start = line.value.baseAddress {
                    (room + length).update(from: start, count: line.value.count)
                    length += line.value.count
                }
                guard first < 0 else { continue }
                first = kept
            }
            lines[kept] = line
            kept += 1
        }
        lineCount = kept
        lines[first].value = ByteSpan(start: room, count: length)
    }
}
