/// Matches the elements of two lists.
///
/// It first matches equal elements, then those with equal labels, each in the longest sequence that
/// preserves the order. Then it matches moved elements, and at last elements without a label within
/// a gap. It takes O(n log n) steps.
package struct Alignment {
    /// For each new element the index of its old one; nil for an inserted element.
    package private(set) var origins: [Int?]
    /// Whether each new element was moved; the others preserve their order.
    package private(set) var isMoved: [Bool]
    /// Whether each old element was removed.
    package private(set) var isGone: [Bool]

    /// The identity of an element.
    package struct Element {
        /// Equal exactly for equal values.
        package var number: Int
        /// Equal exactly for equal labels; nil without a label.
        package var label: [Int]?

        package init(number: Int, label: [Int]? = nil) {
            self.number = number
            self.label = label
        }
    }

    private let old: [Element]
    private let new: [Element]

    /// Aligns the new list with the old one.
    package init(_ old: [Element], _ new: [Element]) {
        self.old = old
        self.new = new
        origins = Array(repeating: nil, count: new.count)
        isMoved = Array(repeating: false, count: new.count)
        isGone = Array(repeating: true, count: old.count)
        alignEnds()
        for gap in gaps() { align(gap) { [$0.number] } }
        for gap in gaps() { align(gap) { $0.label } }
        findMoved { [$0.number] }
        findMoved { $0.label }
        for gap in gaps() { pair(gap) }
    }

    private mutating func keep(_ origin: Int, _ place: Int) {
        origins[place] = origin
        isGone[origin] = false
    }

    private mutating func alignEnds() {
        var start = 0
        while start < min(old.count, new.count), old[start].number == new[start].number {
            keep(start, start)
            start += 1
        }
        var length = 0
        while length < min(old.count, new.count) - start,
            old[old.count - 1 - length].number == new[new.count - 1 - length].number
        {
            length += 1
            keep(old.count - length, new.count - length)
        }
    }

    /// A gap between two matched elements: ranges of the old and the new list.
    private typealias Gap = (old: Range<Int>, new: Range<Int>)

    private func gaps() -> [Gap] {
        var gaps: [Gap] = []
        var start = (old: 0, new: 0)
        for place in 0...new.count {
            let origin: Int
            if place == new.count {
                origin = old.count
            } else if let kept = origins[place], !isMoved[place] {
                origin = kept
            } else {
                continue
            }
            if start.old < origin, start.new < place {
                gaps.append((start.old..<origin, start.new..<place))
            }
            start = (origin + 1, place + 1)
        }
        return gaps
    }

    /// Returns the pairs of elements with equal keys, nth with nth, in the new list's order.
    private func pairs(_ gap: Gap, _ key: (Element) -> [Int]?) -> [(origin: Int, place: Int)] {
        var places: [[Int]: [Int]] = [:]
        for origin in gap.old.reversed() where isGone[origin] {
            if let key = key(old[origin]) { places[key, default: []].append(origin) }
        }
        var pairs: [(origin: Int, place: Int)] = []
        for place in gap.new where origins[place] == nil {
            guard let key = key(new[place]), let origin = places[key]?.popLast() else { continue }
            pairs.append((origin, place))
        }
        return pairs
    }

    /// Matches the longest sequence of pairs with increasing indexes in both lists.
    private mutating func align(_ gap: Gap, _ key: (Element) -> [Int]?) {
        let pairs = pairs(gap, key)
        // The last pair of the best sequence of each length, and each pair's predecessor.
        var ends: [Int] = []
        var before: [Int] = []
        for (index, pair) in pairs.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].origin < pair.origin {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            before.append(low > 0 ? ends[low - 1] : -1)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var index = ends.last ?? -1
        while index >= 0 {
            keep(pairs[index].origin, pairs[index].place)
            index = before[index]
        }
    }

    private mutating func findMoved(_ key: (Element) -> [Int]?) {
        for (origin, place) in pairs((0..<old.count, 0..<new.count), key) {
            keep(origin, place)
            isMoved[place] = true
        }
    }

    /// Matches the remaining elements of a gap in order.
    ///
    /// Elements with a label are removed or inserted instead.
    private mutating func pair(_ gap: Gap) {
        let origins = gap.old.filter { isGone[$0] && old[$0].label == nil }
        let places = gap.new.filter { self.origins[$0] == nil && new[$0].label == nil }
        for (origin, place) in zip(origins, places) { keep(origin, place) }
    }
}

/// Counts marks before an index with a Fenwick tree.
struct MarkCounts {
    private var sums: [Int]

    init(count: Int) { sums = Array(repeating: 0, count: count + 1) }

    /// Changes the number of marks at an index.
    mutating func add(_ change: Int, at place: Int) {
        var at = place + 1
        while at < sums.count {
            sums[at] += change
            at += at & -at
        }
    }

    /// Returns the number of marks before an index.
    func count(before place: Int) -> Int {
        var at = place
        var sum = 0
        while at > 0 {
            sum += sums[at]
            at -= at & -at
        }
        return sum
    }
}
