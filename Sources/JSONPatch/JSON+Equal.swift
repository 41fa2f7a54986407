import JSONCodec

extension JSON {
    /// Whether both are equal according to RFC 6902, section 4.6.
    ///
    /// Numbers are compared by value (`1` equals `1.0`), objects regardless of the order of
    /// members.
    func isEqual(to other: JSON) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): return left.isSameAmount(as: right)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            return left.allSatisfy { name, value in
                right[name].map { value.isEqual(to: $0) } ?? false
            }
        default: return self == other
        }
    }
}
