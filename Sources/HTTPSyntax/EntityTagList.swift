extension ByteSpan {
    /// Calls `body` with each entity tag of a list, its quotes included, and whether it is a weak one.
    ///
    /// `body` returns false to stop. What is no tag comes as it is. A tag is no quoted string: a
    /// backslash in it is a character like others (RFC 9110 §8.8.3).
    package func forEachEntityTag(_ body: (_ tag: ByteSpan, _ isWeak: Bool) -> Bool) {
        forEachListMember(hasEscapes: false) { member in
            let isWeak = member.count > 2 && member[0] == 0x57 && member[1] == 0x2F
            return body(isWeak ? member.slice(2, member.count) : member, isWeak)
        }
    }

    /// Whether a list of entity tags has one that `isOne` takes, or is "*": every tag.
    ///
    /// The strong comparison takes no weak tag, the weak one looks past `W/` (RFC 9110 §8.8.3.2).
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
