/// The hash of a row in a chain: SHA-256 over each member after its length.
///
/// One member is the previous row's hash. The lengths prevent a move of text from one member to the
/// next.
package enum ChainHash {
    /// The hash before the first row: zeros.
    package static let start = String(repeating: "0", count: 64)

    /// Returns the hash of a row's members, in 64 hexadecimal digits.
    package static func of(_ members: [String?]) -> String {
        var bytes: [UInt8] = []
        for member in members {
            let length = member.map { UInt64($0.utf8.count) } ?? .max
            withUnsafeBytes(of: length.bigEndian) { bytes += $0 }
            bytes += (member ?? "").utf8
        }
        return Hexadecimal.sha256(bytes)
    }
}
