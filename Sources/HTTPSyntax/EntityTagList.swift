extension ByteSpan {
    /// Calls `body` with each entity tag of a list, including its quotes, and whether it is weak.
    ///
    /// `body` returns false to stop. Invalid members are passed unchanged. An entity tag isn't a
    /// quoted string: a backslash in it is an ordinary character (RFC 9110 §8.8.3).
    package func forEachEntityTag(_ body: (_ tag: ByteSpan, _ isWeak: Bool) -> Bool) {
        forEachListMember(hasEscapes: false) { member in
            let isWeak = member.count > 2 && member[0] == 0x57 && member[1] == 0x2F
            return body(isWeak ? member.slice(2, member.count) : member, isWeak)
        }
    }

    /// Whether a list is "*" or has an entity tag that `isOne` matches.
    ///
    /// The strong comparison rejects weak tags; the weak one ignores `W/` (RFC 9110 §8.8.3.2).
    package func hasEntityTag(strong: Bool, _ isOne: (_ tag: ByteSpan) -> Bool) -> Bool {
        if count == 1, self[0] == 0x2A { return true }
        var isFound = false
        forEachEntityTag { tag, isWeak in
            isFound = !(isWeak && strong) && isOne(tag)
            return !isFound
        }
        return isFound
    }
}
