/// The positions of the bytes in a query that may have a meaning, in order.
///
/// They are `=`, all ASCII before the comma (including `&`, `%`, `+`), and all bytes beyond ASCII.
/// Eight bytes are tested at once, since most are digits and letters.
struct QueryMarks {
    private let query: ByteSpan
    /// The end of the tested bytes.
    private var end = 0
    /// The high bit of each mark among the last eight tested bytes.
    private var marks: UInt64 = 0

    init(_ query: ByteSpan) { self.query = query }

    /// Returns the next mark's position; the query's end if there is none.
    @inline(__always)
    mutating func next() -> Int {
        while marks == 0 {
            guard end < query.count else { return query.count }
            marks = Self.marks(in: ByteWord(of: query, at: end))
            let count = query.count &- end
            if count < 8 { marks &= 1 &<< UInt64(truncatingIfNeeded: count &<< 3) &- 1 }
            end &+= 8
        }
        let place = end &- 8 &+ marks.trailingZeroBitCount &>> 3
        marks &= marks &- 1
        return place
    }

    /// Returns a word with the high bit set in each mark.
    @inline(__always)
    private static func marks(in word: ByteWord) -> UInt64 {
        ~word.within(0x2C, 0x7F) & ByteWord.highs | word.within(0x3D, 0x3D)
    }
}
