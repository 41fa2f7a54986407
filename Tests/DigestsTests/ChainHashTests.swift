import Digests
import Testing

@Suite("Hashes of a chain's rows")
struct ChainHashTests {
    @Test("text can't move from one member to the next, and a missing member isn't an empty one")
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
