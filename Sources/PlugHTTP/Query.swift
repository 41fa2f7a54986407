package import HTTPSyntax
package import JSONCodec

/// The query of a request's target as members: `q=sea&limit=20`.
package enum Query {
    /// The most items of a query: more than any form has.
    ///
    /// It limits the work of one request.
    package static let maximumCount = 256

    /// Returns the items of a query, or of a form in a body, in order.
    ///
    /// - Throws: ``MalformedTarget`` if there are too many items, or if one is not percent-encoded
    ///   UTF-8.
    package static func members(
        of query: ByteSpan,
        in part: StaticString = "query"
    ) throws(MalformedTarget) -> [TextMember] {
        var members: [TextMember] = []
        var items = QueryItems(query)
        while let item = items.next() {
            guard members.count < maximumCount else {
                throw MalformedTarget(
                    description: "The \(part) has more than \(maximumCount) items"
                )
            }
            guard let name = item.nameText else { throw MalformedTarget("A name in the \(part)") }
            guard let text = item.valueText else {
                throw MalformedTarget("\(name) in the \(part)")
            }
            members.append(TextMember(name: name, text: text, origin: .query))
        }
        return members
    }

    /// Returns the text of a query with these items.
    package static func text(_ items: [(name: String, text: String)]) -> String {
        items.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.text))" }
            .joined(separator: "&")
    }
}

/// The error of a request target whose path or query can't be read.
package struct MalformedTarget: Error, Equatable, CustomStringConvertible {
    /// The part and the rule that it breaks, in words for the client.
    package let description: String

    init(description: String) { self.description = description }

    /// The error of a part that can't be decoded.
    init(_ part: String) {
        description = "\(part) is not percent-encoded UTF-8 without NUL"
    }
}
