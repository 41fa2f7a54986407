/// FNV-1a, 64 bits, and the length: distinguishes the states of one document.
///
/// It is no defence against forgery.
enum ContentTag {
    static func of(_ bytes: [UInt8]) -> String {
        "\(digest(bytes))-\(String(bytes.count, radix: 16))"
    }

    static func digest(_ bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
