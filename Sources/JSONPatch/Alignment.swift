/// Which elements of two lists are taken for one.
///
/// First the same ones, then those that bear one label, in as long a sequence as keeps their order;
/// of the others those that only stand elsewhere, and at last what stands in one gap and has no label.
/// It takes n log n steps.
package struct Alignment {
    /// Of each new element the old one that it is, nil where it is new.
    package private(set) var origins: [Int?]
    /// Which new elements were moved to where they are: the others keep their order.
    package private(set) var isMoved: [Bool]
    /// Which old elements are gone.
    package private(set) var isGone: [Bool]

    /// What elements are told apart by.
    package struct Element {
        /// The same for the same values only.
        package var number: Int
        /// The same for those that bear one label, nil for one without.
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

    /// What lies between two that are kept: ranges of the old and of the new list.
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

    /// The pairs of a key's first, second, … in both lists, in the new one's order.
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

    /// Keeps the longest sequence of pairs whose order is one in both lists.
    private mutating func align(_ gap: Gap, _ key: (Element) -> [Int]?) {
        let pairs = pairs(gap, key)
        // The last pair of the best sequence of each length, and what stands before each pair.
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

    /// Takes what is left in a gap for one, by turns; what bears a label is gone or new.
    private mutating func pair(_ gap: Gap) {
        let origins = gap.old.filter { isGone[$0] && old[$0].label == nil }
        let places = gap.new.filter { self.origins[$0] == nil && new[$0].label == nil }
        for (origin, place) in zip(origins, places) { keep(origin, place) }
    }
}

/// Counts what is marked before a place, as a Fenwick tree does.
struct MarkCounts {
    private var sums: [Int]

    init(count: Int) { sums = Array(repeating: 0, count: count + 1) }

    /// Changes how many marks a place has.
    mutating func add(_ change: Int, at place: Int) {
        var at = place + 1
        while at < sums.count {
            sums[at] += change
            at += at & -at
        }
    }

    /// How many marks there are before a place.
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
