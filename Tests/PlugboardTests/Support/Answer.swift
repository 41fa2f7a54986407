/// A response, framed by its own length or in chunks.
struct Answer: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var mediaType: String? { self["Content-Type"] }

    /// The value of the field of that name; nil where there is none, or more than one.
    subscript(name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }
        return values.count == 1 ? values[0].value : nil
    }

    init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    /// Reads all that a server sent until it closed.
    init(_ bytes: [UInt8], toHEAD: Bool = false) throws {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: "\r\n\r\n".utf8) })
        else { throw HarnessError("no answer: \(String(decoding: bytes, as: UTF8.self))") }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(between: "\r\n")
        let status = lines[0].split(separator: " ")
        guard status.count > 1, status[0] == "HTTP/1.1", let code = Int(status[1]) else {
            throw HarnessError("not a status line: \(lines[0])")
        }
        self.status = code
        fields = try lines.dropFirst().map { line in
            let parts = line.components(between: ": ", atMost: 1)
            guard parts.count == 2 else { throw HarnessError("not a field: \(line)") }
            return (parts[0], parts[1])
        }
        let content = bytes[(end + 4)...]
        let isChunked = fields.contains { ($0.name, $0.value) == ("Transfer-Encoding", "chunked") }
        body = isChunked && !toHEAD ? try Self.joined(content) : Array(content)
        if isChunked { return }
        guard let length = self["Content-Length"] else {
            guard body.isEmpty else { throw HarnessError("a body without a length") }
            return
        }
        guard Int(length) == body.count || toHEAD && body.isEmpty else {
            throw HarnessError("a body of \(body.count) bytes and Content-Length \(length)")
        }
    }

    /// Joins the chunks of a correctly terminated body (RFC 9112 §7.1).
    private static func joined(_ chunks: ArraySlice<UInt8>) throws -> [UInt8] {
        var body: [UInt8] = []
        var rest = chunks
        while let end = rest.firstIndex(of: 0x0D),
            let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16),
            rest.endIndex - end >= size + 4
        {
            if size == 0 { return body }
            body += rest[(end + 2)..<(end + 2 + size)]
            rest = rest[(end + 4 + size)...]
        }
        throw HarnessError("chunks that break off")
    }
}

extension String {
    /// The parts between occurrences of a separator, the first few of which count.
    func components(between separator: String, atMost count: Int = .max) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.first {
            if parts.count < count, rest.starts(with: separator.utf8) {
                parts.append(String(decoding: part, as: UTF8.self))
                part = []
                rest = rest.dropFirst(separator.utf8.count)
            } else {
                part.append(byte)
                rest = rest.dropFirst()
            }
        }
        return parts + [String(decoding: part, as: UTF8.self)]
    }
}
