/// Cuts responses out of a byte stream by the letter of RFC 9112 §6.3.
///
/// It forgives nothing: whatever is not a response where one should start is a `FramingFault`, for a client
/// that goes on reading past one would hand the bytes of one answer to another request.
struct ResponseReader {
    struct FramingFault: Error {
        let what: String
    }

    private var buffer: [UInt8] = []

    var leftover: Int { buffer.count }

    mutating func feed(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// The next complete response, or `nil` where more bytes are needed.
    ///
    /// - Parameters:
    ///   - toHEAD: The response answers a HEAD, so its fields announce a body that does not follow.
    ///   - atEnd: The server closed, which ends a body that has no other end.
    /// - Returns: The response, taken out of the buffer.
    /// - Throws: `FramingFault` where the bytes cannot start a response.
    mutating func next(toHEAD: Bool, atEnd: Bool) throws -> Response? {
        guard let head = try head() else { return nil }
        let (status, reason, fields, start) = head
        let isInterim = (100..<200).contains(status)
        let length = try length(of: fields)
        let isChunked = try isChunked(fields)
        if isChunked, length != nil {
            throw FramingFault(what: "Content-Length beside Transfer-Encoding (RFC 9112 §6.2)")
        }
        if isInterim || status == 204, isChunked || length != nil {
            throw FramingFault(what: "a \(status) with Content-Length or Transfer-Encoding")
        }
        let rest = buffer[start...]
        let body: [UInt8]
        let end: Int
        if toHEAD && !isInterim || isInterim || status == 204 || status == 304 {
            (body, end) = ([], start)
        } else if isChunked {
            var decoder = ChunkDecoder(rest)
            guard let decoded = try decoder.decode() else { return nil }
            (body, end) = (decoded, decoder.position)
        } else if let length {
            guard rest.count >= length else { return nil }
            (body, end) = (Array(rest.prefix(length)), start + length)
        } else {
            guard atEnd else { return nil }
            (body, end) = (Array(rest), buffer.endIndex)
        }
        buffer.removeFirst(end)
        return Response(status: status, reason: reason, fields: fields, body: body)
    }

    private func head() throws -> (Int, String, [Response.Field], Int)? {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        var index = 0
        while index < buffer.count {
            let byte = buffer[index]
            index += 1
            if byte == 0x0A { throw FramingFault(what: "a bare LF in a response head") }
            if byte != 0x0D {
                line.append(byte)
                // A status line is due here: say so at once instead of waiting for a CRLF that never comes.
                if lines.isEmpty, line.count <= 9, !octets("HTTP/1.1 ").starts(with: line) {
                    throw FramingFault(what: "no HTTP/1.1 status line where one is due")
                }
                continue
            }
            guard index < buffer.count else { return nil }
            guard buffer[index] == 0x0A else {
                throw FramingFault(what: "a bare CR in a response head")
            }
            index += 1
            if line.isEmpty {
                let (status, reason) = try statusLine(lines)
                return (status, reason, try lines.dropFirst().map(field), index)
            }
            lines.append(line)
            line = []
        }
        return nil
    }

    private func statusLine(_ lines: [[UInt8]]) throws -> (Int, String) {
        let line = latin1(lines.first ?? [])
        let rest = line.dropFirst("HTTP/1.1 ".count)
        let digits = rest.prefix(3)
        guard line.hasPrefix("HTTP/1.1 "), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let status = Int(digits), (100..<600).contains(status), rest.dropFirst(3).first == " "
        else {
            throw FramingFault(what: "not a status line: \(line) (RFC 9112 §4)")
        }
        return (status, String(rest.dropFirst(4)))
    }

    private func field(_ line: [UInt8]) throws -> Response.Field {
        guard let colon = line.firstIndex(of: 0x3A), colon > 0,
            line[..<colon].allSatisfy(isTokenByte),
            line[(colon + 1)...].allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) })
        else {
            throw FramingFault(what: "not a field line: \(latin1(line)) (RFC 9112 §5)")
        }
        return .init(name: latin1(line[..<colon]), value: trimmed(latin1(line[(colon + 1)...])))
    }

    private func length(of fields: [Response.Field]) throws -> Int? {
        let values = fields.filter { $0.name.lowercased() == "content-length" }.map(\.value)
        guard let value = values.first else { return nil }
        guard values.count == 1, !value.isEmpty, let length = Int(value),
            value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw FramingFault(what: "Content-Length: \(values) (RFC 9110 §8.6)")
        }
        return length
    }

    private func isChunked(_ fields: [Response.Field]) throws -> Bool {
        let values = fields.filter { $0.name.lowercased() == "transfer-encoding" }.map(\.value)
        guard let value = values.first else { return false }
        guard values.count == 1, value.lowercased() == "chunked" else {
            throw FramingFault(what: "Transfer-Encoding: \(values), nobody asked for it")
        }
        return true
    }
}

func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: octets("!#$%&'*+-.^_`|~").contains(byte)
    }
}

/// A chunked body without extensions' meaning: sizes, data, trailer section.
private struct ChunkDecoder {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    mutating func decode() throws -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            guard let line = try nextLine() else { return nil }
            let digits = line.prefix { $0 != ";" }
            guard let size = Int(digits, radix: 16), digits.utf8.allSatisfy(isHexDigit) else {
                throw ResponseReader.FramingFault(what: "not a chunk size: \(line)")
            }
            if size == 0 { break }
            guard bytes.endIndex - position >= size + 2 else { return nil }
            body += bytes[position..<position + size]
            position += size
            guard try nextLine()?.isEmpty == true else {
                throw ResponseReader.FramingFault(what: "no CRLF after chunk data")
            }
        }
        while let trailer = try nextLine() {
            if trailer.isEmpty { return body }
        }
        return nil
    }

    private mutating func nextLine() throws -> String? {
        guard let end = bytes[position...].firstIndex(of: 0x0A) else { return nil }
        guard end > position, bytes[end - 1] == 0x0D else {
            throw ResponseReader.FramingFault(what: "a bare LF in a chunked body")
        }
        let line = latin1(bytes[position..<end - 1])
        position = end + 1
        return line
    }

    private func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
