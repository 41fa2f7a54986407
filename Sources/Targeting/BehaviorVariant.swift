/// Which modules and actions of a targeted behavior a context is given.
///
/// Contexts with the same variant get the same bytes: it is what variants are cached by, and goes
/// into their entity tag together with the revision.
public struct BehaviorVariant: Hashable, Sendable, CustomStringConvertible {
    /// The first 64 of what has a rule, in the document's order: kept or left out.
    private var first: UInt64 = 0
    /// The others, where there are more.
    private var others: [UInt64]

    /// The variant of so many rules with everything left out.
    init(count: Int) {
        others = count > 64 ? Array(repeating: 0, count: (count - 1) / 64) : []
    }

    /// Whether the module or action with the rule of that place is kept.
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

    /// Feeds the bits to a hasher; there are as many in all variants of a behavior.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        for word in others { hasher.combine(word) }
    }

    /// How many words of 64 bits there are.
    package var wordCount: Int { 1 + others.count }

    /// The bits in hexadecimal, 16 digits for each 64: the same on every server.
    public var description: String {
        ([first] + others).map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
