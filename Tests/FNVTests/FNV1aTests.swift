import FNV
import Testing

@Suite("FNV-1a")
struct FNV1aTests {
    @Test(
        "the hash is that of the authors' test vectors",
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)]
    )
    func vectors(_ text: String, _ hash: UInt64) {
        var whole = FNV1a()
        whole.add(text.utf8)
        #expect(whole.value == hash)
        var pieces = FNV1a()
        for byte in text.utf8 { pieces.add(CollectionOfOne(byte)) }
        #expect(pieces.value == hash)
    }
}
