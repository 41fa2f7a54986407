import Testing

@testable import Plug

@Suite("Cached outputs")
struct CachedOutputsTests {
    @Test("a cache stores the newest outputs up to its limits of entries and bytes")
    func bounds() throws {
        func key(_ number: Int) throws -> OutputKey {
            try #require(OutputKey(number, caller: nil))
        }
        var kept = CachedOutputs<Int>(PlugCache(seconds: 60, entries: 3, bytes: 100))
        for number in 0..<1000 {
            kept.keep(number, 10, for: try key(number), at: .zero)
            kept.keep(number, 10, for: try key(number), at: .milliseconds(number))
        }
        #expect(kept.state(at: "").entries == 3)
        #expect(kept.state(at: "").bytes == 30)
        #expect(kept.answer(try key(999), at: .seconds(1)) == 999)
        #expect(kept.answer(try key(996), at: .seconds(1)) == nil)
        kept.keep(1, 95, for: try key(1), at: .seconds(2))
        #expect(kept.state(at: "").bytes == 95)
        kept.keep(2, 101, for: try key(2), at: .seconds(2))
        #expect(kept.answer(try key(2), at: .seconds(2)) == nil)
        kept.keep(3, 1, for: try key(3), at: .seconds(62))
        #expect(kept.state(at: "").entries == 1)
    }
}
