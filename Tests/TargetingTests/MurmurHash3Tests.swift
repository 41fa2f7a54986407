import Testing

@testable import Targeting

@Suite("MurmurHash3, x86, 32 bits")
struct MurmurHash3Tests {
    @Test(
        "hashes match published values",
        arguments: [
            ("", 0, 0), ("", 1, 0x514E_28B7), ("", 0xFFFF_FFFF, 0x81F1_6F39),
            ("\0\0\0\0", 0, 0x2362_F9DE), ("aaaa", 0x9747_B28C, 0x5A97_808A),
            ("aaa", 0x9747_B28C, 0x283E_0130), ("aa", 0x9747_B28C, 0x5D21_1726),
            ("a", 0x9747_B28C, 0x7FA0_9EA6), ("abcd", 0x9747_B28C, 0xF047_8627),
            ("abc", 0x9747_B28C, 0xC84A_62DD), ("ab", 0x9747_B28C, 0x7487_5592),
            ("Hello, world!", 0x9747_B28C, 0x2488_4CBA),
            ("ππππππππ", 0x9747_B28C, 0xD580_63C1),
            ("The quick brown fox jumps over the lazy dog", 0x9747_B28C, 0x2FA8_26CD),
        ] as [(String, UInt32, UInt32)]
    )
    func published(_ text: String, _ seed: UInt32, _ hash: UInt32) {
        #expect(MurmurHash3.hash(text, seed: seed) == hash)
    }

    @Test("a text's hash is the same in any division into pieces")
    func pieces() {
        let text = "plugboard/β-testers"
        for cut in text.indices {
            var hash = MurmurHash3()
            hash.append(String(text[..<cut]))
            hash.append(String(text[cut...]))
            #expect(hash.value == MurmurHash3.hash(text))
        }
    }
}
