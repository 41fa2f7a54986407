import Digests
import Testing

@Suite("SHA-256 digests (FIPS 180-4)")
struct DigestTests {
    @Test("digests match the standard's example, and one changed bit makes them unequal")
    func digests() {
        let digest = Array("abc".utf8).withUnsafeBufferPointer(Digest.sha256)
        #expect(digest.count == Digest.length)
        #expect(digest.prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
        #expect(Digest.areEqual(digest, digest))
        for index in digest.indices {
            var other = digest
            other[index] ^= 1
            #expect(!Digest.areEqual(digest, other))
        }
        #expect(!Digest.areEqual(digest, []))
    }
}
