extension VersionParts {
    /// Returns an order below, at or above zero (SemVer 2.0.0, section 11).
    ///
    /// `numbers` limits the comparison to the first numbers.
    func order(
        in left: UnsafeBufferPointer<UInt8>,
        to other: VersionParts,
        in right: UnsafeBufferPointer<UInt8>,
        numbers: Int? = nil
    ) -> Int {
        var order = compareNumbers(left, major, right, other.major)
        if order != 0 || numbers == 1 { return order }
        order = compareNumbers(left, minor, right, other.minor)
        if order != 0 || numbers == 2 { return order }
        order = compareNumbers(left, patch, right, other.patch)
        if order != 0 { return order }
        return comparePrereleases(left, prerelease, right, other.prerelease)
    }
}

private typealias Bytes = UnsafeBufferPointer<UInt8>

/// Compares numbers without leading zeros; zero is empty.
///
/// The longer number is greater.
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

/// Compares prereleases by identifier (SemVer 2.0.0, section 11.4); no prerelease is empty.
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
            // A number has no leading zero, so "0" is never longer than another number.
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
