/// The ranges of a version's parts in its text.
struct VersionParts: Sendable {
    /// The three numbers; zeros and omitted numbers are empty.
    private(set) var major = 0..<0
    private(set) var minor = 0..<0
    private(set) var patch = 0..<0
    /// The prerelease without its `-`; empty if there is none.
    private(set) var prerelease = 0..<0

    /// Parses a version; nil if it is invalid.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var at = 0
        if let first = bytes.first, first | 0x20 == UInt8(ascii: "v") { at = 1 }
        guard let major = Self.number(bytes, &at) else { return nil }
        self.major = major
        if at == bytes.count { return }
        guard Self.take(".", bytes, &at), let minor = Self.number(bytes, &at) else { return nil }
        self.minor = minor
        if at == bytes.count { return }
        guard Self.take(".", bytes, &at), let patch = Self.number(bytes, &at) else { return nil }
        self.patch = patch
        if Self.take("-", bytes, &at) {
            guard let part = Self.identifiers(bytes, &at, isPrerelease: true) else { return nil }
            prerelease = part
        }
        if Self.take("+", bytes, &at), Self.identifiers(bytes, &at, isPrerelease: false) == nil {
            return nil
        }
        guard at == bytes.count else { return nil }
    }

    private static func take(
        _ byte: Unicode.Scalar,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ at: inout Int
    ) -> Bool {
        guard at < bytes.count, bytes[at] == UInt8(ascii: byte) else { return false }
        at += 1
        return true
    }

    /// Parses a number without leading zeros; zero returns an empty range.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Range<Int>?
    {
        let start = at
        while at < bytes.count, bytes[at] &- 0x30 < 10 { at += 1 }
        guard at > start else { return nil }
        guard bytes[start] == 0x30 else { return start..<at }
        return at == start + 1 ? at..<at : nil
    }

    /// Parses identifiers separated by dots; numbers in a prerelease have no leading zeros.
    private static func identifiers(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ at: inout Int,
        isPrerelease: Bool
    ) -> Range<Int>? {
        let start = at
        repeat {
            let first = at
            while at < bytes.count, isPartOfIdentifier(bytes[at]) { at += 1 }
            guard at > first else { return nil }
            let hasLeadingZero = at > first + 1 && bytes[first] == 0x30
            if isPrerelease, hasLeadingZero, isNumber(bytes, first..<at) { return nil }
        } while take(".", bytes, &at)
        return start..<at
    }

    private static func isPartOfIdentifier(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-")
    }

    /// Returns the identifier that begins at `start`.
    static func identifier(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        to end: Int
    )
        -> Range<Int>
    {
        var at = start
        while at < end, bytes[at] != UInt8(ascii: ".") { at += 1 }
        return start..<at
    }

    /// Returns whether an identifier has digits only.
    static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> Bool {
        for at in part where bytes[at] &- 0x30 >= 10 { return false }
        return true
    }
}
