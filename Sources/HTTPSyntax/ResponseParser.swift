/// A parser of one response (RFC 9112 §4 to §7): bytes in, events out, without I/O.
///
/// It is strict where lenient parsers disagree about message boundaries: lines end in CRLF, lengths
/// are decimal numbers, and a message has one framing. Interim responses are skipped.
package struct ResponseParser {
    package enum Event: Equatable {
        /// `status` and the fields are those of the final response.
        case head
        /// Body bytes at this range of the input.
        case data(Range<Int>)
        /// All input is used, and the response continues.
        case needsMore
        /// The response is complete.
        case end
    }

    private enum State {
        case head, untilClose, done
        case sized(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    /// The maximum of bytes in status lines and fields, including interim responses.
    package static let headLimit = 64 << 10

    /// The final response's status; valid after the event `head`.
    package private(set) var status: UInt16 = 0
    /// Whether any byte has arrived.
    package private(set) var hasBegun = false

    private var state = State.head
    /// The bytes of the heads so far.
    private var head: [UInt8] = []
    /// The start of the first unparsed line in `head`.
    private var position = 0
    private var hasStatus = false
    private var fields: [(name: Range<Int>, value: Range<Int>)] = []
    private var semantics = Semantics()
    /// Whether bytes have arrived after the response's end, without a request.
    private var hasExcess = false
    private let answersHead: Bool

    /// The framing and persistence according to the fields.
    private struct Semantics {
        var minorVersion: UInt8 = 1
        var length: Int?
        var isChunked = false
        var closes = false
        var keepsAlive = false
        var endsWithConnection = false
    }

    /// Creates a parser; a response to HEAD has no body.
    package init(answeringHead answersHead: Bool) { self.answersHead = answersHead }

    /// Whether the response is complete.
    package var isDone: Bool {
        if case .done = state { true } else { false }
    }

    /// The body's announced length; nil without one.
    package var length: Int? {
        if case .sized(let remaining) = state { remaining } else { nil }
    }

    /// Whether the connection can be reused for another request (RFC 9112 §9.3).
    package var canReuse: Bool {
        isDone && !hasExcess && !semantics.endsWithConnection && !semantics.closes
            && (semantics.minorVersion == 1 || semantics.keepsAlive)
    }

    /// Calls `body` with each field line, in order.
    package func forEachField(_ body: (FieldLine) -> Void) {
        head.withUnsafeBufferPointer { bytes in
            for (name, value) in fields {
                body(
                    FieldLine(
                        name: bytes.slice(name.lowerBound, name.upperBound),
                        value: bytes.slice(value.lowerBound, value.upperBound)
                    )
                )
            }
        }
    }

    /// Parses from `offset` and advances it.
    ///
    /// Call it again until it returns `needsMore` or `end`.
    package mutating func next(
        _ input: ByteSpan,
        _ offset: inout Int
    ) throws(ProtocolError) -> Event {
        if offset < input.count { hasBegun = true }
        switch state {
        case .done:
            if offset < input.count { hasExcess = true }
            return .end
        case _ where offset == input.count: return .needsMore
        case .head: return try readHead(input, &offset) ? .head : .needsMore
        case .untilClose: return take(.max, of: input, &offset)
        case .sized(let remaining):
            let count = min(remaining, input.count - offset)
            state = count == remaining ? .done : .sized(remaining: remaining - count)
            return take(count, of: input, &offset)
        case .chunked(var decoder):
            let event = decoder.next(input, &offset)
            state = .chunked(decoder)
            switch event {
            case .data(let range): return .data(range)
            case .needsMore: return .needsMore
            case .failed(let error): throw error
            case .end:
                state = .done
                hasExcess = offset < input.count
                return .end
            }
        }
    }

    /// Handles the end of the connection.
    ///
    /// - Throws: An error if the response is incomplete.
    package mutating func finish() throws(ProtocolError) {
        if case .untilClose = state { state = .done }
        guard isDone else { throw .bad("the connection was closed within the response") }
    }

    private func take(_ count: Int, of input: ByteSpan, _ offset: inout Int) -> Event {
        let end = offset + min(count, input.count - offset)
        defer { offset = end }
        return .data(offset..<end)
    }
}

// MARK: - Head

extension ResponseParser {
    /// Parses lines up to the final head's end; returns false if it hasn't arrived.
    private mutating func readHead(
        _ input: ByteSpan,
        _ offset: inout Int
    ) throws(ProtocolError) -> Bool {
        let known = head.count
        let taken = min(input.count - offset, Self.headLimit - known)
        head += input.slice(offset, offset + taken)
        let bytes = head
        let isComplete = try bytes.withUnsafeBufferPointer { bytes throws(ProtocolError) in
            try readLines(bytes)
        }
        guard isComplete else {
            guard head.count < Self.headLimit else {
                throw ProtocolError(431, "a head of more than 64 KiB")
            }
            offset += taken
            return false
        }
        offset += position - known
        return true
    }

    private mutating func readLines(_ bytes: ByteSpan) throws(ProtocolError) -> Bool {
        guard let base = bytes.baseAddress else { return false }
        let end = base + bytes.count
        var cursor = base + position
        while cursor < end {
            if !hasStatus {
                guard try readStatusLine(&cursor, end) else { return false }
            } else if cursor.pointee == 0x0D {
                guard try HeadLine.skipEnd(&cursor, end) else { return false }
                position = cursor - base
                if try endHead() { return true }
            } else {
                guard let line = try HeadLine.field(&cursor, end) else { return false }
                fields.append((base.range(of: line.name), base.range(of: line.value)))
                try note(line)
            }
            position = cursor - base
        }
        return false
    }

    /// Parses `HTTP/1.x SP 3DIGIT [ SP reason-phrase ] CRLF` (RFC 9112 §4) and ignores the reason.
    private mutating func readStatusLine(
        _ cursor: inout UnsafePointer<UInt8>,
        _ end: UnsafePointer<UInt8>
    ) throws(ProtocolError) -> Bool {
        let version: StaticString = "HTTP/1."
        for index in 0..<min(7, end - cursor) where cursor[index] != version.utf8Start[index] {
            throw .bad("a version other than HTTP/1.1 and HTTP/1.0")
        }
        guard end - cursor > 12 else { return false }
        let (minor, line) = (cursor[7] &- 0x30, ByteSpan(start: cursor, count: 13))
        guard minor <= 1 else { throw .bad("a version other than HTTP/1.1 and HTTP/1.0") }
        let digits = line.slice(9, 12)
        let code = digits.reduce(0 as UInt16) { $0 &* 10 &+ UInt16($1 &- 0x30) }
        guard line[8] == 0x20, digits.allSatisfy(ByteClass.isDigit), (100...599).contains(code),
            line[12] == 0x20 || line[12] == 0x0D
        else { throw .bad("a status line that is not: version, status, reason") }
        cursor = HeadLine.endOfText(cursor + 12, end)
        guard cursor < end else { return false }
        guard cursor.pointee == 0x0D else { throw HeadLine.textError(at: cursor) }
        guard try HeadLine.skipEnd(&cursor, end) else { return false }
        hasStatus = true
        status = code
        semantics = Semantics()
        semantics.minorVersion = minor
        return true
    }

    private mutating func note(_ line: FieldLine) throws(ProtocolError) {
        if line.name.equals(lowercase: "content-length") {
            // Two equal lengths count as one (RFC 9112 §6.3).
            let length = try line.value.contentLength()
            guard semantics.length ?? length == length else { throw .bad("two different lengths") }
            semantics.length = length
        } else if line.name.equals(lowercase: "transfer-encoding") {
            guard line.value.equals(lowercase: "chunked"), !semantics.isChunked,
                semantics.minorVersion == 1
            else { throw .bad("a Transfer-Encoding that is not chunked, once, in HTTP/1.1") }
            semantics.isChunked = true
        } else if line.name.equals(lowercase: "connection") {
            line.value.forEachListMember { option in
                if option.equals(lowercase: "close") { semantics.closes = true }
                if option.equals(lowercase: "keep-alive") { semantics.keepsAlive = true }
                return true
            }
        }
    }

    /// Determines the body's framing (RFC 9112 §6.3); returns false after an interim response.
    private mutating func endHead() throws(ProtocolError) -> Bool {
        guard status != 101 else { throw .bad("an upgrade without an offer") }
        guard status >= 200 else {
            hasStatus = false
            fields = []
            return false
        }
        guard !semantics.isChunked || semantics.length == nil else {
            throw .bad("both a length and chunks")
        }
        if answersHead || status == 204 || status == 304 || semantics.length == 0 {
            state = .done
        } else if semantics.isChunked {
            state = .chunked(ChunkedDecoder(from: .server))
        } else if let length = semantics.length {
            state = .sized(remaining: length)
        } else {
            semantics.endsWithConnection = true
            state = .untilClose
        }
        return true
    }
}

extension UnsafePointer<UInt8> {
    /// The range of a span in the memory that begins at this pointer.
    fileprivate func range(of span: ByteSpan) -> Range<Int> {
        guard let start = span.baseAddress else { return 0..<0 }
        return start - self..<start - self + span.count
    }
}
