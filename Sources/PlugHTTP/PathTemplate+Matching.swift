package import JSONCodec

extension PathTemplate {
    /// The values in a request's path, nil where the path is none of this template.
    ///
    /// `path` is as it was on the wire, without the query. It is split before it is decoded, so
    /// that `%2F` is part of a value and cannot pass for another segment. A value is never empty.
    ///
    /// - Throws: ``MalformedTarget`` where all literals match and a value is not percent-encoded
    ///   UTF-8.
    package func captures(
        in path: UnsafeRawBufferPointer
    ) throws(MalformedTarget) -> [TextMember]? {
        guard path.first == UInt8(ascii: "/") else { return nil }
        guard !segments.isEmpty else { return path.count == 1 ? [] : nil }

        var start = 1
        var count = 0
        for index in literals.indices {
            guard start <= path.count else { return nil }
            let end = Self.end(ofSegmentAt: start, in: path)
            let isLast = index == literals.count - 1
            guard isLast == (end == path.count), start < end else { return nil }
            if let literal = literals[index] {
                let bytes = UnsafeRawBufferPointer(rebasing: path[start..<end])
                guard Self.matches(bytes, literal) else { return nil }
            } else {
                count += 1
            }
            start = end + 1
        }
        return count == 0 ? [] : try members(path, count)
    }

    /// The captures of a path that matches, decoded only now that it is known to.
    private func members(
        _ path: UnsafeRawBufferPointer,
        _ count: Int
    ) throws(MalformedTarget) -> [TextMember] {
        var members: [TextMember] = []
        members.reserveCapacity(count)
        var start = 1
        for segment in segments {
            let end = Self.end(ofSegmentAt: start, in: path)
            if case .capture(let name) = segment {
                let bytes = UnsafeRawBufferPointer(rebasing: path[start..<end])
                guard let text = PercentCoding.decode(bytes) else {
                    throw MalformedTarget(
                        description: "\(name) in the path is not percent-encoded UTF-8 without NUL"
                    )
                }
                members.append(TextMember(name: name, text: text, origin: .path))
            }
            start = end + 1
        }
        return members
    }

    @inline(__always)
    private static func end(ofSegmentAt start: Int, in path: UnsafeRawBufferPointer) -> Int {
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        return end
    }

    /// Whether bytes of a path stand for a literal: most are it, byte by byte, and few are
    /// percent-encoded.
    private static func matches(_ bytes: UnsafeRawBufferPointer, _ literal: [UInt8]) -> Bool {
        var same = bytes.count == literal.count
        var at = 0
        while same, at < bytes.count {
            same = bytes[at] == literal[at]
            at += 1
        }
        if same { return true }
        guard bytes.contains(UInt8(ascii: "%")), let text = PercentCoding.decode(bytes) else {
            return false
        }
        // By bytes: a String would equal every canonically equivalent one.
        return text.utf8.elementsEqual(literal)
    }
}
