/// A name of a context's member, with what tells it from most others without a look at its text.
package struct Name: Sendable {
    let text: String
    /// Its first sixteen bytes, the first in the lowest bits; zeros behind a shorter one.
    private let start: Words
    /// How many bytes it has.
    let count: Int

    /// The name that a context's key has.
    static let targetingKey = Name("targetingKey")

    private typealias Words = (UInt64, UInt64)

    init(_ text: String) {
        var text = text
        (start, count) = text.withUTF8 { (Self.start(of: $0, 0..<$0.count), $0.count) }
        self.text = text
    }

    /// Whether both have the same bytes.
    @inline(__always)
    func isSame(as other: Name) -> Bool {
        guard start == other.start, count == other.count else { return false }
        return count <= 16 || isSameText(text, other.text)
    }

    /// That of some names which a part of some bytes is; nil where none is.
    @inline(__always)
    static func known(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ part: Range<Int>,
        among names: [Name]
    ) -> Name? {
        let start = start(of: bytes, part)
        for name in names where name.start == start && name.count == part.count {
            if name.count <= 16 || name.has(bytes, part) { return name }
        }
        return nil
    }

    /// Whether these are its bytes, of which there are as many.
    private func has(_ bytes: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> Bool {
        var text = text
        return text.withUTF8 { text in
            for at in 0..<part.count where text[at] != bytes[part.lowerBound + at] { return false }
            return true
        }
    }

    @inline(__always)
    private static func start(of bytes: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> Words {
        let first = word(bytes, part)
        guard part.count > 8 else { return (first, 0) }
        return (first, word(bytes, part.lowerBound &+ 8..<part.upperBound))
    }

    /// The first eight bytes of a part, zeros behind a shorter one.
    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> UInt64 {
        guard !part.isEmpty else { return 0 }
        let word = eightBytes(of: bytes, at: part.lowerBound)
        guard part.count < 8 else { return word }
        return word & (1 &<< UInt64(truncatingIfNeeded: part.count &<< 3) &- 1)
    }
}
