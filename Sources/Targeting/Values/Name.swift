import HTTPSyntax

/// The name of a context's member, with its first bytes as integers for fast comparison.
package struct Name: Sendable {
    let text: String
    /// The first sixteen bytes, the first in the lowest bits; zeros after a shorter name.
    private let start: Words
    /// The number of bytes.
    let count: Int

    /// The name of a context's key.
    static let targetingKey = Name("targetingKey")

    private typealias Words = (UInt64, UInt64)

    init(_ text: String) {
        var text = text
        (start, count) = text.withUTF8 { (Self.start(of: $0), $0.count) }
        self.text = text
    }

    /// Whether both have the same bytes.
    @inline(__always)
    func isSame(as other: Name) -> Bool {
        guard start == other.start, count == other.count else { return false }
        return count <= 16 || isSameText(text, other.text)
    }

    /// Returns the one of `names` that has these bytes; nil if none has.
    @inline(__always)
    static func known(_ bytes: ByteSpan, among names: [Name]) -> Name? {
        let start = start(of: bytes)
        for name in names where name.start == start && name.count == bytes.count {
            if name.count <= 16 || name.has(bytes) { return name }
        }
        return nil
    }

    /// Returns whether the name has these bytes; the lengths are equal already.
    private func has(_ bytes: ByteSpan) -> Bool {
        var text = text
        return text.withUTF8 { $0.equals(bytes) }
    }

    @inline(__always)
    private static func start(of bytes: ByteSpan) -> Words {
        guard !bytes.isEmpty else { return (0, 0) }
        let first = ByteWord(of: bytes, at: 0).bits
        return (first, bytes.count > 8 ? ByteWord(of: bytes, at: 8).bits : 0)
    }
}
