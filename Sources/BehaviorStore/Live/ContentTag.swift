import FNV

/// FNV-1a, 64 bits, and the length: distinguishes the states of one document.
///
/// It is no defence against forgery.
enum ContentTag {
    static func of(_ bytes: [UInt8]) -> String {
        "\(digest(bytes))-\(String(bytes.count, radix: 16))"
    }

    static func digest(_ bytes: some Sequence<UInt8>) -> String {
        var hash = FNV1a()
        hash.add(bytes)
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
