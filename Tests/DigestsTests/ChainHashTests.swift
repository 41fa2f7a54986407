import Digests
import Testing

@Suite("Hashes of chained rows")
struct ChainHashTests {
    @Test("moved text changes the hash, and a missing member differs from an empty text")
    func members() {
        let hashes = [
            ChainHash.of(["ab", "c"]), ChainHash.of(["a", "bc"]), ChainHash.of(["abc"]),
            ChainHash.of(["ab", "c", nil]), ChainHash.of(["ab", "c", ""]), ChainHash.of([]),
        ]
        #expect(Set(hashes).count == hashes.count)
        #expect(hashes.allSatisfy(Hexadecimal.isDigest))
        #expect(ChainHash.of(["ab", "c"]) == hashes[0])
        #expect(ChainHash.start.utf8.count == 64)
    }
}
