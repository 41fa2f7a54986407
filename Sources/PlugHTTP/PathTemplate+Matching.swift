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

        var values: [(name: String, bytes: Slice<UnsafeRawBufferPointer>)] = []
        var start = 1
        for (index, segment) in segments.enumerated() {
            guard start <= path.count else { return nil }
            let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
            let isLast = index == segments.count - 1
            guard isLast == (end == path.count), start < end else { return nil }
            let bytes = path[start..<end]
            switch segment {
            case .literal(let text):
                guard Self.matches(bytes, text) else { return nil }
            case .capture(let name):
                values.append((name, bytes))
            }
            start = end + 1
        }
        return try members(values)
    }

    private func members(
        _ values: [(name: String, bytes: Slice<UnsafeRawBufferPointer>)]
    ) throws(MalformedTarget) -> [TextMember] {
        var members: [TextMember] = []
        members.reserveCapacity(values.count)
        for (name, bytes) in values {
            guard let text = PercentCoding.decode(bytes) else {
                throw MalformedTarget(
                    description: "\(name) in the path is not percent-encoded UTF-8 without NUL"
                )
            }
            members.append(TextMember(name: name, text: text, origin: .path))
        }
        return members
    }

    /// Whether bytes of a path stand for a literal: most are it, byte by byte, and few are
    /// percent-encoded.
    private static func matches(_ bytes: Slice<UnsafeRawBufferPointer>, _ literal: String) -> Bool {
        if bytes.elementsEqual(literal.utf8) { return true }
        guard bytes.contains(UInt8(ascii: "%")), let text = PercentCoding.decode(bytes) else {
            return false
        }
        // By bytes: a String would equal every canonically equivalent one.
        return text.utf8.elementsEqual(literal.utf8)
    }
}
