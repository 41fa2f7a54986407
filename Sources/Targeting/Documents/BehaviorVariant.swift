/// The modules and actions of a targeted behavior that one context receives.
///
/// Contexts with equal variants receive the same bytes. The variant is the cache key of a response
/// and, with the revision, part of its entity tag.
public struct BehaviorVariant: Hashable, Sendable, CustomStringConvertible {
    /// One bit for each of the first 64 targets in the document's order: included or omitted.
    private var first: UInt64 = 0
    /// The bits of further targets, 64 a word.
    private var others: [UInt64]

    /// Creates the variant of `count` targets with all of them omitted.
    init(count: Int) {
        others = count > 64 ? Array(repeating: 0, count: (count - 1) / 64) : []
    }

    /// Whether the target at `place` is included.
    subscript(place: Int) -> Bool {
        get {
            let word = place < 64 ? first : others[place / 64 - 1]
            return word &>> (place & 63) & 1 == 1
        }
        set {
            let bit: UInt64 = 1 &<< (place & 63)
            if place < 64 {
                first = newValue ? first | bit : first & ~bit
            } else {
                let word = others[place / 64 - 1]
                others[place / 64 - 1] = newValue ? word | bit : word & ~bit
            }
        }
    }

    /// Feeds the bits to a hasher; all variants of a behavior have the same number of bits.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        for word in others { hasher.combine(word) }
    }

    /// The number of 64-bit words.
    package var wordCount: Int { 1 + others.count }

    /// The bits in hexadecimal, 16 digits for each word; the same on every server.
    public var description: String {
        ([first] + others).map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
