import HTTPTypes

/// The reader of one HTTP/1.1 response (RFC 9112): bytes in, a response out, no I/O.
///
/// It is strict where leniency lets one party see other messages than another does: lines end in
/// CRLF, lengths are plain numbers, a message has one framing. Interim responses are skipped.
struct ResponseParser {
    /// The response, once its head is whole and not that of an interim response.
    private(set) var response: HTTPResponse?
    /// As much of the body as has come.
    private(set) var body: [UInt8] = []
    /// Whether any byte has come.
    private(set) var hasBegun = false

    private var state: State = .statusLine
    private var line: [UInt8] = []
    private var headSize = 0
    private var isVersion1_1 = false
    private var framing = Framing()
    /// Whether bytes came after the end, which nobody asked for.
    private var hasExcess = false
    private let isAnswerToHead: Bool
    private let greatestBody: Int
    /// Whether a success's body is taken away as it comes (``takeBody()``), and may be of any size.
    private let isStreamed: Bool

    /// How large status line and fields may be together, interim responses included; so the trailers,
    /// and each chunk's line.
    private static let greatestHead = 64 << 10

    init(answering method: HTTPRequest.Method, greatestBody: Int, isStreamed: Bool = false) {
        isAnswerToHead = method == .head
        self.greatestBody = greatestBody
        self.isStreamed = isStreamed
    }

    private enum State {
        case statusLine
        case fields
        case sized(remaining: Int)
        case untilClose
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers
        case done
    }

    /// Whether the response is whole.
    var isDone: Bool {
        if case .done = state { true } else { false }
    }

    /// Whether the body is one that is taken away as it comes.
    private var streamsBody: Bool { isStreamed && response?.status.kind == .successful }

    /// Gives what has come of a success's body since the last call, where it is streamed.
    mutating func takeBody() -> [UInt8] {
        guard streamsBody else { return [] }
        defer { body = [] }
        return body
    }

    /// Whether another request may follow on the connection (RFC 9112, 9.3).
    var canReuse: Bool {
        isDone && !hasExcess && !framing.endsWithConnection && !framing.closes
            && (isVersion1_1 || framing.keepsAlive)
    }

    /// Takes the bytes that came next, however they are split.
    ///
    /// - Throws: ``ClientError`` of kind `invalidResponse` or `tooLarge`.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(ClientError) {
        if !bytes.isEmpty { hasBegun = true }
        var rest = bytes[...]
        while !rest.isEmpty {
            switch state {
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailers:
                if let line = try nextLine(&rest) { try take(line) }
            case .sized(let remaining):
                let count = try takeBody(&rest, atMost: remaining)
                state = count == remaining ? .done : .sized(remaining: remaining - count)
            case .chunk(let remaining):
                let count = try takeBody(&rest, atMost: remaining)
                state = count == remaining ? .chunkEnd : .chunk(remaining: remaining - count)
            case .untilClose:
                _ = try takeBody(&rest, atMost: .max)
            case .done:
                hasExcess = true
                return
            }
        }
    }

    /// Takes the end of the connection.
    ///
    /// - Throws: ``ClientError`` where the response is not whole.
    mutating func finish() throws(ClientError) {
        switch state {
        case .done:
            return
        case .untilClose:
            state = .done
        default:
            throw Self.invalid("the connection was closed within the response")
        }
    }

    private mutating func take(_ line: [UInt8]) throws(ClientError) {
        switch state {
        case .statusLine:
            try takeStatus(line)
            state = .fields
        case .fields:
            if line.isEmpty { try endHead() } else { try takeField(line) }
        case .chunkSize:
            let size = try Self.chunkSize(line)
            state = size == 0 ? .trailers : .chunk(remaining: size)
            // Each chunk's line has its own bound, and the trailers have theirs.
            headSize = 0
        case .chunkEnd:
            guard line.isEmpty else { throw Self.invalid("a chunk is longer than its size") }
            state = .chunkSize
        case .trailers:
            // Nothing here looks at trailers; they are read to find the end.
            if line.isEmpty { state = .done }
        case .sized, .chunk, .untilClose, .done:
            break
        }
    }

    /// The line that ends in these bytes, without its CRLF; nil where it goes on.
    private mutating func nextLine(
        _ rest: inout Slice<UnsafeRawBufferPointer>
    ) throws(ClientError) -> [UInt8]? {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        let part = rest[..<(end ?? rest.endIndex)]
        headSize += part.count + 1
        guard headSize <= Self.greatestHead else {
            throw ClientError(.tooLarge, "The response's head is over \(Self.greatestHead) bytes")
        }
        line.append(contentsOf: part)
        rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
        guard end != nil else { return nil }
        defer { line.removeAll(keepingCapacity: true) }
        guard line.last == UInt8(ascii: "\r") else {
            throw Self.invalid("a line doesn't end in CRLF")
        }
        // A lone CR within a line is read as a line's end by some and not by others.
        guard !line.dropLast().contains(UInt8(ascii: "\r")), !line.contains(0) else {
            throw Self.invalid("a line holds CR or NUL")
        }
        return Array(line.dropLast())
    }

    private mutating func takeBody(
        _ rest: inout Slice<UnsafeRawBufferPointer>,
        atMost remaining: Int
    ) throws(ClientError) -> Int {
        let count = min(rest.count, remaining)
        guard streamsBody || count <= greatestBody - body.count else { throw tooLarge }
        body.append(contentsOf: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
    }

    private var tooLarge: ClientError {
        ClientError(.tooLarge, "The response's body is over \(greatestBody) bytes")
    }

    private static func invalid(_ reason: String) -> ClientError {
        ClientError(.invalidResponse, "The response is not valid HTTP: \(reason)")
    }
}

// MARK: - Head

extension ResponseParser {
    /// What the fields say of where the message ends and what becomes of the connection.
    private struct Framing {
        var length: Int?
        var isChunked = false
        var closes = false
        var keepsAlive = false
        var endsWithConnection = false
    }

    /// `HTTP/1.1 200 OK`; the reason phrase counts for nothing and may be missing.
    private mutating func takeStatus(_ line: [UInt8]) throws(ClientError) {
        let version = line.prefix(8)
        isVersion1_1 = version.elementsEqual("HTTP/1.1".utf8)
        guard isVersion1_1 || version.elementsEqual("HTTP/1.0".utf8) else {
            throw Self.invalid("its version is none of HTTP/1.1 and HTTP/1.0")
        }
        let digits = line.dropFirst(9).prefix(3)
        guard line.count >= 12, line[8] == UInt8(ascii: " "), digits.allSatisfy(Self.isDigit),
            line.count == 12 || line[12] == UInt8(ascii: " "),
            let code = Int(String(decoding: digits, as: UTF8.self)), (100...599).contains(code)
        else { throw Self.invalid("its status line is none") }
        response = HTTPResponse(status: HTTPResponse.Status(code: code))
        framing = Framing()
    }

    private mutating func takeField(_ line: [UInt8]) throws(ClientError) {
        // A name that is no token covers a folded line and a space before the colon too.
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { throw Self.invalid("a field has no valid name") }
        let value = Self.trimmed(line[(colon + 1)...])
        let field = HTTPField(name: name, value: value)
        guard HTTPField.isValidValue(value) else {
            throw Self.invalid("the value of \(name) holds control characters")
        }
        response?.headerFields.append(field)

        switch name {
        case .contentLength: try takeLength(value)
        case .transferEncoding: try takeCoding(value)
        case .connection:
            for option in value.split(separator: UInt8(ascii: ",")) {
                let option = String(decoding: Self.trimmed(option), as: UTF8.self).lowercased()
                if option == "close" { framing.closes = true }
                if option == "keep-alive" { framing.keepsAlive = true }
            }
        default: break
        }
    }

    /// A length given twice is one length where both are the same (RFC 9112, 6.3).
    private mutating func takeLength(_ value: ArraySlice<UInt8>) throws(ClientError) {
        guard !value.isEmpty, value.allSatisfy(Self.isDigit),
            let length = Int(String(decoding: value, as: UTF8.self))
        else { throw Self.invalid("its Content-Length is no number") }
        guard framing.length == nil || framing.length == length else {
            throw Self.invalid("it has two lengths")
        }
        framing.length = length
    }

    private mutating func takeCoding(_ value: ArraySlice<UInt8>) throws(ClientError) {
        guard String(decoding: value, as: UTF8.self).lowercased() == "chunked",
            !framing.isChunked, isVersion1_1
        else { throw Self.invalid("its Transfer-Encoding is not chunked, once, in HTTP/1.1") }
        framing.isChunked = true
    }

    /// Settles where the body ends (RFC 9112, 6.3).
    private mutating func endHead() throws(ClientError) {
        guard let response else { throw Self.invalid("it has no status") }
        let code = response.status.code
        guard code != 101 else { throw Self.invalid("it switches to a protocol nobody asked for") }
        guard code >= 200 else {
            self.response = nil
            state = .statusLine
            return
        }
        guard !framing.isChunked || framing.length == nil else {
            throw Self.invalid("it has both a length and chunks")
        }
        if isAnswerToHead || code == 204 || code == 304 {
            state = .done
        } else if framing.isChunked {
            state = .chunkSize
        } else if let length = framing.length {
            if !streamsBody {
                guard length <= greatestBody else { throw tooLarge }
                body.reserveCapacity(length)
            }
            state = length == 0 ? .done : .sized(remaining: length)
        } else {
            framing.endsWithConnection = true
            state = .untilClose
        }
    }

    /// The size that starts a chunk; extensions after it are skipped.
    private static func chunkSize(_ line: [UInt8]) throws(ClientError) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && !isBlank($0) }
        let rest = trimmed(line[digits.endIndex...])
        guard !digits.isEmpty, digits.allSatisfy(isHexDigit),
            rest.isEmpty || rest.first == UInt8(ascii: ";"),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw invalid("the size of a chunk is none") }
        return size
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let front = bytes.drop(while: isBlank)
        let end = front.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? front.startIndex
        return front[..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: isDigit(byte)
        }
    }
}
