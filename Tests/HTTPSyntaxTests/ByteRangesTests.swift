import GuardedBytes
import Testing

@testable import HTTPSyntax

private func ranges(_ text: String, size: Int = 1000) -> ByteRanges.Verdict {
    let bytes = GuardedBytes(Array(text.utf8))
    return ByteRanges.parse(bytes.span, size: size)
}

@Suite("Byte ranges (RFC 9110 §14)")
struct ByteRangesTests {
    @Test(
        "ranges within the resource are parsed (§14.1.2)",
        arguments: [
            ("bytes=0-499", [0..<500]), ("bytes=500-", [500..<1000]), ("bytes=-500", [500..<1000]),
            ("bytes=0-0", [0..<1]), ("bytes=-1", [999..<1000]), ("bytes=900-5000", [900..<1000]),
            ("bytes=-5000", [0..<1000]), ("BYTES=0-1", [0..<2]),
            ("bytes=0-0, -1", [0..<1, 999..<1000]),
            ("bytes=1-2,2000-3000", [1..<3]), ("bytes=0-99999999999999999999", [0..<1000]),
            ("bytes= 0-1 ,, 5-6", [0..<2, 5..<7]),
        ]
    )
    func satisfiable(text: String, expected: [Range<Int>]) {
        #expect(ranges(text) == .ranges(expected))
    }

    @Test(
        "an invalid field is ignored (§14.2)",
        arguments: [
            "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=0-1-2",
            "lines=0-1", "bytes=0x0-1", "bytes=0-1,x", "bytes=+1-2",
        ]
    )
    func ignored(text: String) {
        #expect(ranges(text) == .whole)
    }

    @Test("ranges beyond the resource can't be satisfied (§15.5.17)")
    func unsatisfiable() {
        #expect(ranges("bytes=1000-") == .unsatisfiable)
        #expect(ranges("bytes=-0") == .unsatisfiable)
        #expect(ranges("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ranges("bytes=2000-3000, 5000-") == .unsatisfiable)
    }

    @Test("a suffix range of an empty resource is the whole resource (§14.1.2)")
    func empty() {
        #expect(ranges("bytes=-5", size: 0) == .whole)
        #expect(ranges("bytes=-0", size: 0) == .unsatisfiable)
        #expect(ranges("bytes=0-,-0", size: 0) == .unsatisfiable)
    }

    @Test(
        "ranges that overlap or touch are merged at the place of the first (§15.3.7.2)",
        arguments: [
            ("bytes=0-9,5-14", [0..<15]), ("bytes=5-14,0-9", [0..<15]),
            ("bytes=0-9,10-19", [0..<20]), ("bytes=10-19,0-9", [0..<20]),
            ("bytes=0-9,11-19", [0..<10, 11..<20]), ("bytes=0-0,-1,1-1", [0..<2, 999..<1000]),
            ("bytes=50-59,0-9,20-29,5-24", [50..<60, 0..<30]),
            ("bytes=20-29,0-9,10-19", [0..<30]), ("bytes=5-5,5-5", [5..<6]),
        ]
    )
    func coalesced(text: String, expected: [Range<Int>]) {
        #expect(ranges(text) == .ranges(expected))
    }

    @Test("too many or overlapping ranges return the whole resource (§14.2)")
    func attack() {
        #expect(ranges("bytes=0-,0-,0-") == .whole)
        let many = (0..<17).map { "\($0)-\($0)" }.joined(separator: ",")
        #expect(ranges("bytes=" + many) == .whole)
    }
}
