extension TargetedBehavior {
    /// The most steps that evaluating all rules takes for a request; those that it would take more for
    /// don't hold.
    package static var greatestSteps: Int { Bounds.documentSteps }

    /// The fewest steps that evaluating the rules takes, whoever asks: a step is an operand, an element
    /// or 64 bytes that are compared.
    ///
    /// Rules count once where they stand in several places, and those of a module's actions only where
    /// its own always holds. What ends a rule before its time, such as a text that grows too long, is left
    /// aside: it is told where it happens.
    package var leastSteps: Int {
        var steps = 0
        var known: Set<Int> = []
        var place = 0
        while place < targets.count {
            let target = targets[place]
            if target.shared.map({ known.insert($0).inserted }) ?? true {
                // A rule is ended there.
                steps += min(program.leastSteps(of: target.root), Bounds.ruleSteps)
            }
            // What doesn't hold for some takes those behind it along.
            place += program.isAlwaysTrue(target.root) ? 1 : 1 + target.followers
        }
        return steps
    }
}

extension Program {
    /// Whether a rule holds for everybody.
    fileprivate func isAlwaysTrue(_ root: Int32) -> Bool { constant(root)?.isTrue == true }

    /// The fewest steps that evaluating a node takes, as far as that is known without a context; no more
    /// than just beyond what a rule may take.
    fileprivate func leastSteps(of index: Int32) -> Int {
        let node = nodes[Int(index)]
        return min(1 + leastStepsWithin(node), Bounds.ruleSteps + 1)
    }

    private func leastStepsWithin(_ node: Node) -> Int {
        switch node.operation {
        case .constant:
            guard case .text(let text) = constants[Int(node.detail)] else { return 0 }
            return text.utf8.count / 64
        // What a context has decides whether more is looked at.
        case .variable: return node.detail >= 0 ? 0 : least(node, 0..<1)
        case .and, .or: return least(node, 0..<1)
        case .choose, .chooseShort: return leastToChoose(node, from: 0)
        case .version: return least(node, 0..<1)
        case .segment: return 0
        case .rollout: return least(node, 0..<Int(node.count) - 1)
        case .fractional: return fractionalHasKey(node) ? least(node, 0..<1) : 0
        case .contained: return least(node, 0..<2) + (elementCount(node, 1) ?? 0) / 8
        case .map, .filter:
            return least(node, 0..<1) + (elementCount(node, 0) ?? 0) * least(node, 1..<2)
        case .all, .some, .none:
            return least(node, 0..<1) + min(elementCount(node, 0) ?? 0, 1) * least(node, 1..<2)
        case .reduce:
            return least(node, 0..<1) + least(node, 2..<3)
                + (elementCount(node, 0) ?? 0) * least(node, 1..<2)
        case .list, .missing, .missingSome, .equal, .identical, .notEqual, .notIdentical, .not,
            .truth, .greater, .greaterOrEqual, .less, .lessOrEqual, .greatest, .least, .sum,
            .difference, .product, .quotient, .remainder, .merge, .concatenation, .substring,
            .startsWith, .endsWith:
            return least(node, 0..<Int(node.count))
        }
    }

    /// The fewest steps of those operands together, as far as there are so many.
    private func least(_ node: Node, _ places: Range<Int>) -> Int {
        places.clamped(to: 0..<Int(node.count))
            .reduce(0) { $0 + leastSteps(of: operand($1, of: node)) }
    }

    /// The fewest steps from a condition on.
    private func leastToChoose(_ node: Node, from place: Int) -> Int {
        guard place < Int(node.count) else { return 0 }
        let condition = least(node, place..<place + 1)
        guard place + 1 < Int(node.count) else { return condition }
        let outcome = least(node, place + 1..<place + 2)
        return condition + min(outcome, leastToChoose(node, from: place + 2))
    }

    /// How many elements an operand has, where that is a list that is known.
    private func elementCount(_ node: Node, _ place: Int) -> Int? {
        guard place < Int(node.count), case .list(let list)? = constant(operand(place, of: node))
        else { return nil }
        return list.elements.count
    }
}
