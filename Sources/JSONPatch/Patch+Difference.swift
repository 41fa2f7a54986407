package import JSONCodec

extension Patch {
    /// The members that identify elements of an array.
    package static let labels = ["id", "name", "key", "func"]

    /// Creates the patch that turns one document into another.
    ///
    /// The patched document equals the new one, except for the order of members, which has no
    /// meaning in JSON. The patch contains only the changes. If they are larger than the new value,
    /// it replaces the value. It is within the limits of ``PatchLimits``.
    ///
    /// - Parameters:
    ///   - old: the document to patch.
    ///   - new: the patched document.
    ///   - labels: the members that identify elements of an array.
    package init(from old: JSON, to new: JSON, labels: [String] = Patch.labels) {
        var census = ValueNumbering()
        var differ = Differ(labels: labels.map { census.number(of: $0) })
        differ.compare(census.tree(old), census.tree(new))
        let bounds = PatchLimits()
        let isWithin =
            differ.operations.count <= bounds.operations && differ.steps <= bounds.steps
        operations = isWithin ? differ.operations : [.replace(.root, new)]
    }
}

/// Collects the operations that turn one tree into another.
private struct Differ {
    let labels: [Int]
    private(set) var operations: [Patch.Operation] = []
    /// The estimated steps to apply them.
    private(set) var steps = 0
    private var path: [String] = []

    /// The maximum depth of the comparison; deeper values are replaced.
    private static let depth = 64

    init(labels: [Int]) { self.labels = labels }

    /// Compares two values and returns the operations' cost: one each, and one for each value in
    /// them.
    @discardableResult
    mutating func compare(_ old: ValueNumbering.Tree, _ new: ValueNumbering.Tree) -> Int {
        guard old.number != new.number else { return 0 }
        let start = operations.count
        let whole = 1 + new.count
        var cost = Int.max
        if path.count < Self.depth {
            switch (old.content, new.content) {
            case (.elements(let old), .elements(let new)): cost = compare(old, new)
            case (.members(let old), .members(let new)): cost = compare(old, new)
            default: break
            }
        }
        guard cost > whole else { return cost }
        operations.removeSubrange(start...)
        operations.append(.replace(Pointer(tokens: path), new.json))
        return whole
    }

    private mutating func compare(
        _ old: ValueNumbering.Tree,
        _ new: ValueNumbering.Tree,
        at token: String
    ) -> Int {
        path.append(token)
        defer { path.removeLast() }
        return compare(old, new)
    }

    private func pointer(_ token: String) -> Pointer { Pointer(tokens: path + [token]) }

    // MARK: Objects

    private mutating func compare(
        _ old: [ValueNumbering.Member],
        _ new: [ValueNumbering.Member]
    ) -> Int {
        var cost = 0
        var left = Dictionary(new.map { ($0.nameNumber, $0.tree) }) { first, _ in first }
        for member in old {
            if let tree = left.removeValue(forKey: member.nameNumber) {
                cost += compare(member.tree, tree, at: member.name)
            } else {
                operations.append(.remove(pointer(member.name)))
                steps += old.count
                cost += 1
            }
        }
        for member in new where left[member.nameNumber] != nil {
            operations.append(.add(pointer(member.name), member.tree.json))
            cost += 1 + member.tree.count
        }
        return cost
    }

    // MARK: Arrays

    /// Compares two arrays.
    ///
    /// Removals from the end come first, then insertions and moves from the start, then changes. So
    /// each index is one of the old or of the new list.
    private mutating func compare(_ old: [ValueNumbering.Tree], _ new: [ValueNumbering.Tree]) -> Int
    {
        let alignment = Alignment(old.map(element), new.map(element))
        let start = operations.count
        var cost = 0
        for place in old.indices.reversed() where alignment.isGone[place] {
            operations.append(.remove(pointer("\(place)")))
            cost += 1
        }
        cost += arrange(new, alignment, oldCount: old.count)
        steps += 2 * (operations.count - start) * (1 + max(old.count, new.count) / 16)
        for (place, origin) in alignment.origins.enumerated() {
            guard let origin else { continue }
            cost += compare(old[origin], new[place], at: "\(place)")
        }
        return cost
    }

    /// Adds operations for inserted and moved elements.
    ///
    /// Elements to be moved later are still in the list, so an index counts those before it.
    private mutating func arrange(
        _ new: [ValueNumbering.Tree],
        _ alignment: Alignment,
        oldCount: Int
    ) -> Int {
        var cost = 0
        var waiting = MarkCounts(count: oldCount)
        // For each old index, the new index of the first unmoved element at or after it.
        var nextKept = Array(repeating: new.count, count: oldCount + 1)
        var keptBefore = [0]
        for (place, origin) in alignment.origins.enumerated() {
            let isKept = origin != nil && !alignment.isMoved[place]
            keptBefore.append((keptBefore.last ?? 0) + (isKept ? 1 : 0))
            guard let origin else { continue }
            if isKept { nextKept[origin] = place } else { waiting.add(1, at: origin) }
        }
        for place in nextKept.indices.dropLast().reversed() {
            nextKept[place] = min(nextKept[place], nextKept[place + 1])
        }
        var lastKept = 0  // the old index after the last unmoved element
        for (place, origin) in alignment.origins.enumerated() {
            guard let origin else {
                let index = place + waiting.count(before: lastKept)
                operations.append(.add(pointer("\(index)"), new[place].json))
                cost += 1 + new[place].count
                continue
            }
            guard alignment.isMoved[place] else {
                lastKept = origin + 1
                continue
            }
            let border = nextKept[origin]
            let settled = place >= border ? border : place + keptBefore[border] - keptBefore[place]
            let from = settled + waiting.count(before: origin)
            waiting.add(-1, at: origin)
            let index = place + waiting.count(before: lastKept)
            guard from != index else { continue }
            operations.append(.move(from: pointer("\(from)"), to: pointer("\(index)")))
            cost += 1
        }
        return cost
    }

    private func element(_ tree: ValueNumbering.Tree) -> Alignment.Element {
        var element = Alignment.Element(number: tree.number)
        guard case .members(let members) = tree.content else { return element }
        for label in labels {
            let member = members.first { $0.nameNumber == label }
            if let member, case .scalar = member.tree.content {
                element.label = [label, member.tree.number]
                break
            }
        }
        return element
    }
}
