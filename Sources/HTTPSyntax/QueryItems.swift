/// The items of a query or a form body, in order: `q=sea&limit=20`.
///
/// Empty items (`a=1&&b=2`) are skipped. An item without `=` has an empty value.
package struct QueryItems: IteratorProtocol {
    /// One item, as sent.
    package struct Item {
        package let name: ByteSpan
        package let value: ByteSpan
        /// Whether the item has no escapes and is ASCII.
        package let isPlain: Bool

        /// The decoded name; nil if it isn't percent-encoded UTF-8 without NUL.
        @inline(__always)
        package var nameText: String? { text(name) }

        /// The decoded value; nil if it isn't percent-encoded UTF-8 without NUL.
        @inline(__always)
        package var valueText: String? { text(value) }

        /// Decodes a name or value, with `+` as a space, as HTML forms send it.
        @inline(__always)
        private func text(_ part: ByteSpan) -> String? {
            guard isPlain else { return PercentCoding.decode(part, plusIsSpace: true) }
            return String(unsafeUninitializedCapacity: part.count) {
                $0.initialize(fromContentsOf: part)
            }
        }
    }

    private let query: ByteSpan
    private var marks: QueryMarks
    private var start = 0

    package init(_ query: ByteSpan) {
        self.query = query
        marks = QueryMarks(query)
    }

    @inline(__always)
    package mutating func next() -> Item? {
        while start < query.count {
            var equals = -1
            var isPlain = true
            var end = marks.next()
            while end < query.count {
                let byte = query[end]
                if byte == 0x26 { break }
                if byte == 0x3D {
                    if equals < 0 { equals = end }
                } else if byte &- 1 >= 0x7F || byte == 0x25 || byte == 0x2B {
                    isPlain = false
                }
                end = marks.next()
            }
            let begin = start
            start = end &+ 1
            guard end > begin else { continue }
            if equals < 0 { equals = end }
            return Item(
                name: query.slice(begin, equals),
                value: query.slice(min(equals &+ 1, end), end),
                isPlain: isPlain
            )
        }
        return nil
    }
}
