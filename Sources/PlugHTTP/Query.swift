package import JSONCodec

/// The query of a request's target: `q=sea&limit=20`.
package enum Query {
    /// How many items a query may have: what any form has, and what bounds the work that one
    /// request can ask for.
    package static let greatestCount = 256

    /// The items of a query, or of a form in a body, in order, where it has not too many.
    ///
    /// `query` is as it was on the wire, without the `?`. `+` is a space, as HTML forms send it; an
    /// item without `=` has the empty text; empty items (`a=1&&b=2`) are skipped.
    ///
    /// - Throws: ``MalformedTarget`` where there are too many items or one is not percent-encoded
    ///   UTF-8.
    package static func members(
        of query: UnsafeRawBufferPointer,
        in part: StaticString = "query",
        atMost greatestCount: Int = greatestCount
    ) throws(MalformedTarget) -> [TextMember] {
        var members: [TextMember] = []
        var start = query.startIndex
        while start < query.endIndex {
            let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
            let item = query[start..<end]
            start = end + 1
            guard !item.isEmpty else { continue }
            guard members.count < greatestCount else {
                throw MalformedTarget(
                    description: "The \(part) has more than \(greatestCount) items"
                )
            }
            members.append(try member(item, part))
        }
        return members
    }

    /// The text of a query with those items.
    package static func text(_ items: [(name: String, text: String)]) -> String {
        items.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.text))" }
            .joined(separator: "&")
    }

    private static func member(
        _ item: Slice<UnsafeRawBufferPointer>,
        _ part: StaticString
    ) throws(MalformedTarget) -> TextMember {
        let equals = item.firstIndex(of: UInt8(ascii: "="))
        guard let name = PercentCoding.decode(item[..<(equals ?? item.endIndex)], plusIsSpace: true)
        else {
            throw MalformedTarget(
                description: "A name in the \(part) is not percent-encoded UTF-8 without NUL"
            )
        }
        let value = equals.map { item[($0 + 1)...] } ?? item[item.endIndex...]
        guard let text = PercentCoding.decode(value, plusIsSpace: true) else {
            throw MalformedTarget(
                description: "\(name) in the \(part) is not percent-encoded UTF-8 without NUL"
            )
        }
        return TextMember(name: name, text: text, origin: .query)
    }
}
