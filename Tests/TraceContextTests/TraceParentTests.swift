import Testing
import TraceContext

@Suite("traceparent (W3C Trace Context §3.2)")
struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00f067aa0ba902b7"

    @Test("a valid value is parsed")
    func valid() throws {
        let read = try #require(TraceParent("00-\(Self.trace)-\(Self.parent)-01".utf8))
        #expect(read.traceID == Self.trace)
        #expect(read.parentID == Self.parent)
        #expect(read.isSampled)
        #expect(TraceParent("00-\(Self.trace)-\(Self.parent)-02".utf8)?.isSampled == false)
    }

    @Test("a later version may have more after a dash (§4.1)")
    func later() {
        #expect(TraceParent("cc-\(Self.trace)-\(Self.parent)-01".utf8) != nil)
        #expect(TraceParent("cc-\(Self.trace)-\(Self.parent)-01-what".utf8) != nil)
        #expect(TraceParent("cc-\(Self.trace)-\(Self.parent)-01.what".utf8) == nil)
    }

    @Test(
        "an invalid value is ignored",
        arguments: [
            "", "00", "00-\(trace)-\(parent)", "00-\(trace)-\(parent)-1",
            "ff-\(trace)-\(parent)-01",
            "00-\(trace)-\(parent)-01-more", "00-\(trace)-\(parent)-01 ",
            "00-\(trace.uppercased())-\(parent)-01", "00_\(trace)-\(parent)-01",
            "00-00000000000000000000000000000000-\(parent)-01", "00-\(trace)-0000000000000000-01",
            "0g-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-0x", " 00-\(trace)-\(parent)-01",
        ]
    )
    func invalid(_ field: String) {
        #expect(TraceParent(field.utf8) == nil)
    }
}
