/// Goes through the bytes of a query that don't just stand for themselves, in order.
///
/// Those are `&`, `=`, `%`, `+`, what else stands before the comma in ASCII, and all beyond ASCII. Eight
/// bytes are looked at together: most are digits and letters.
struct QueryMarks {
    private let query: UnsafeBufferPointer<UInt8>
    /// Where the bytes behind those that were looked at begin.
    private var end = 0
    /// The highest bit of each byte that is a mark, of the eight that were looked at last.
    private var marks: UInt64 = 0

    private static let highest: UInt64 = 0x8080_8080_8080_8080
    private static let others: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

    init(_ query: UnsafeBufferPointer<UInt8>) { self.query = query }

    /// Where the next one is; the query's end where there is none.
    @inline(__always)
    mutating func next() -> Int {
        while marks == 0 {
            guard end < query.count else { return query.count }
            marks = Self.marks(in: eightBytes(of: query, at: end))
            let count = query.count &- end
            if count < 8 { marks &= 1 &<< UInt64(truncatingIfNeeded: count &<< 3) &- 1 }
            end &+= 8
        }
        let place = end &- 8 &+ marks.trailingZeroBitCount &>> 3
        marks &= marks &- 1
        return place
    }

    /// The highest bit of each byte that is a mark.
    @inline(__always)
    private static func marks(in word: UInt64) -> UInt64 {
        let low = word & others
        let isFromCommaOn = low &+ 0x5454_5454_5454_5454
        let isNoEquals = (low ^ 0x3D3D_3D3D_3D3D_3D3D) &+ others
        return (word | ~isFromCommaOn | ~isNoEquals) & highest
    }
}
