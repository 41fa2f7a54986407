package import HTTPSyntax
package import JSONCodec

extension PathTemplate {
    /// Matches a request's path and appends its captured values to `members`.
    ///
    /// If it returns false, the path doesn't match and `members` is undefined.
    ///
    /// `path` is in normal form, without the query. The path is split before values are decoded, so
    /// `%2F` is part of a value and can't add a segment. A value is never empty. The server's loop
    /// reuses one array for all requests, to avoid allocations.
    ///
    /// - Throws: ``MalformedTarget`` if all literals match and a value is not percent-encoded
    ///   UTF-8.
    package func captures(
        in path: ByteSpan,
        into members: inout [TextMember]
    ) throws(MalformedTarget) -> Bool {
        guard path.first == UInt8(ascii: "/") else { return false }
        guard !segments.isEmpty else { return path.count == 1 }

        var start = 1
        var malformed: String?
        for index in segments.indices {
            guard start <= path.count else { return false }
            let end = Self.end(ofSegmentAt: start, in: path)
            let isLast = index == segments.count - 1
            guard isLast == (end == path.count), start < end else { return false }
            let bytes = path.slice(start, end)
            if let literal = literals[index] {
                guard Self.equal(bytes, literal) else { return false }
            } else if case .capture(let name) = segments[index] {
                if let text = PercentCoding.decode(bytes) {
                    members.append(TextMember(name: name, text: text, origin: .path))
                } else {
                    malformed = malformed ?? name
                }
            }
            start = end + 1
        }
        // Thrown only here, since only now the whole path is known to match this template.
        guard let malformed else { return true }
        throw MalformedTarget("\(malformed) in the path")
    }

    @inline(__always)
    private static func end(ofSegmentAt start: Int, in path: ByteSpan) -> Int {
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        return end
    }

    @inline(__always)
    private static func equal(_ bytes: ByteSpan, _ literal: [UInt8]) -> Bool {
        guard bytes.count == literal.count else { return false }
        for at in 0..<bytes.count where bytes[at] != literal[at] { return false }
        return true
    }
}
