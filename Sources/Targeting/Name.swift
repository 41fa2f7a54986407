/// A name of a context's member, with what tells it from most others without a look at its text.
package struct Name: Sendable {
    let text: String
    /// Its first eight bytes, the first in the lowest bits; zeros behind a shorter one.
    private let start: UInt64
    private let count: Int

    /// The name that a context's key has.
    static let targetingKey = Name("targetingKey")

    init(_ text: String) {
        var text = text
        (start, count) = text.withUTF8 { (Self.start(of: $0), $0.count) }
        self.text = text
    }

    /// Whether both have the same bytes.
    @inline(__always)
    func isSame(as other: Name) -> Bool {
        guard start == other.start, count == other.count else { return false }
        return count <= 8 || Targeting.isSame(text, other.text)
    }

    /// That of some names which has these bytes; nil where none has.
    @inline(__always)
    static func known(_ bytes: UnsafeBufferPointer<UInt8>, among names: [Name]) -> Name? {
        let start = start(of: bytes)
        for name in names where name.start == start && name.count == bytes.count {
            if name.count <= 8 || name.has(bytes) { return name }
        }
        return nil
    }

    /// Whether these are its bytes, of which there are as many.
    private func has(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var text = text
        return text.withUTF8 { text in
            for at in 0..<bytes.count where text[at] != bytes[at] { return false }
            return true
        }
    }

    @inline(__always)
    private static func start(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var start: UInt64 = 0
        for at in 0..<min(bytes.count, 8) {
            start |= UInt64(truncatingIfNeeded: bytes[at]) &<< UInt64(truncatingIfNeeded: at &<< 3)
        }
        return start
    }
}
