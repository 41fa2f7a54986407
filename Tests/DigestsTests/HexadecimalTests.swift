import Digests
import Testing

@Suite("Digests in hexadecimal digits")
struct HexadecimalTests {
    @Test("a digest has 64 lowercase digits")
    func digits() {
        let empty = Hexadecimal.sha256([])
        #expect(empty == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(Hexadecimal.isDigest(empty))
    }

    @Test("a text of another length or case isn't a digest", arguments: [63, 65, 0])
    func length(count: Int) {
        #expect(!Hexadecimal.isDigest(String(repeating: "a", count: count)))
    }

    @Test("64 other characters aren't a digest", arguments: ["A", "g", "/", ":", "`", "é"])
    func characters(character: Character) {
        #expect(!Hexadecimal.isDigest(String(repeating: character, count: 64)))
        #expect(!Hexadecimal.isDigest(String(repeating: "0", count: 63) + String(character)))
    }
}
