/// A version as SemVer 2.0.0 has it: `1.4.0-rc.1+build.7`.
///
/// As flagd does, it takes a leading `v` or `V`, and versions without a patch or a minor: `v1.4` is
/// `1.4.0`, `1` is `1.0.0`. Numbers may have any length. Build metadata has no part in precedence.
public struct SemanticVersion: Sendable, Comparable, Hashable, CustomStringConvertible {
    /// The version, as it was written.
    public let text: String
    private let parts: VersionParts

    /// The longest text that is taken for a version, in bytes.
    public static let greatestLength = 256

    /// Reads a version, nil where the text is none.
    public init?(_ text: String) {
        var text = text
        guard text.utf8.count <= Self.greatestLength,
            let parts = text.withUTF8({ VersionParts($0) })
        else { return nil }
        self.text = text
        self.parts = parts
    }

    /// Whether both have the same precedence; build metadata doesn't matter.
    public static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
        left.order(to: right) == 0
    }

    /// Whether a version comes before another (SemVer 2.0.0, section 11).
    public static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        left.order(to: right) < 0
    }

    /// Feeds what versions of the same precedence share to a hasher.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { bytes in
            for part in [parts.major, parts.minor, parts.patch, parts.prerelease] {
                hasher.combine(part.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(Bytes(rebasing: bytes[part])))
            }
        }
    }

    /// The version, as it was written.
    public var description: String { text }

    /// Below zero, zero or above it as this comes before, beside or after another, by all of it or
    /// by its first numbers only.
    func order(to other: SemanticVersion, numbers: Int? = nil) -> Int {
        var text = text
        var otherText = other.text
        return text.withUTF8 { left in
            otherText.withUTF8 { right in
                var order = compareNumbers(left, parts.major, right, other.parts.major)
                if order != 0 || numbers == 1 { return order }
                order = compareNumbers(left, parts.minor, right, other.parts.minor)
                if order != 0 || numbers == 2 { return order }
                order = compareNumbers(left, parts.patch, right, other.parts.patch)
                if order != 0 { return order }
                return comparePrereleases(left, parts.prerelease, right, other.parts.prerelease)
            }
        }
    }
}

/// How a version is held against another, as flagd has it.
enum VersionOperator: String, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// The same major version.
    case sameMajor = "^"
    /// The same major and minor version.
    case sameMinor = "~"

    /// Whether it holds of the two.
    func holds(_ left: SemanticVersion, _ right: SemanticVersion) -> Bool {
        switch self {
        case .equal: left.order(to: right) == 0
        case .notEqual: left.order(to: right) != 0
        case .less: left.order(to: right) < 0
        case .lessOrEqual: left.order(to: right) <= 0
        case .greater: left.order(to: right) > 0
        case .greaterOrEqual: left.order(to: right) >= 0
        case .sameMajor: left.order(to: right, numbers: 1) == 0
        case .sameMinor: left.order(to: right, numbers: 2) == 0
        }
    }
}

private typealias Bytes = UnsafeBufferPointer<UInt8>

/// Numbers without leading zeros, zero being empty: the longer one is greater.
private func compareNumbers(
    _ left: Bytes,
    _ one: Range<Int>,
    _ right: Bytes,
    _ two: Range<Int>
)
    -> Int
{
    if one.count != two.count { return one.count < two.count ? -1 : 1 }
    return compareBytes(left, one, right, two)
}

private func compareBytes(
    _ left: Bytes,
    _ one: Range<Int>,
    _ right: Bytes,
    _ two: Range<Int>
)
    -> Int
{
    for offset in 0..<min(one.count, two.count) {
        let mine = left[one.lowerBound + offset]
        let other = right[two.lowerBound + offset]
        if mine != other { return mine < other ? -1 : 1 }
    }
    return one.count - two.count
}

/// Prereleases, identifier by identifier (SemVer 2.0.0, section 11.4); an empty one is none.
private func comparePrereleases(
    _ left: Bytes,
    _ one: Range<Int>,
    _ right: Bytes,
    _ two: Range<Int>
)
    -> Int
{
    guard !one.isEmpty, !two.isEmpty else { return (one.isEmpty ? 1 : 0) - (two.isEmpty ? 1 : 0) }
    var mine = one.lowerBound
    var other = two.lowerBound
    while mine < one.upperBound, other < two.upperBound {
        let first = VersionParts.identifier(left, from: mine, to: one.upperBound)
        let second = VersionParts.identifier(right, from: other, to: two.upperBound)
        let order: Int
        switch (VersionParts.isNumber(left, first), VersionParts.isNumber(right, second)) {
        case (true, true):
            // A number has no leading zero, so that "0" is shorter than or as long as any other.
            order = compareNumbers(left, first, right, second)
        case (true, false): order = -1
        case (false, true): order = 1
        case (false, false): order = compareBytes(left, first, right, second)
        }
        if order != 0 { return order }
        mine = first.upperBound + 1
        other = second.upperBound + 1
    }
    return (mine < one.upperBound ? 1 : 0) - (other < two.upperBound ? 1 : 0)
}
