extension TargetedBehavior {
    /// The maximum number of steps to evaluate all rules for a request; rules beyond it are false.
    package static var maximumSteps: Int { TargetingLimits.documentSteps }

    /// The minimum number of steps to evaluate the rules for any context.
    ///
    /// A step is an operand, an element or 64 compared bytes.
    ///
    /// A rule that occurs several times counts once. Rules of a module's actions count only if the
    /// module's own rule is always true. Early stops, such as by a text that grows too long, are
    /// not considered: the evaluation reports them.
    package var minimumSteps: Int {
        var steps = 0
        var known: Set<Int> = []
        var place = 0
        while place < targets.count {
            let target = targets[place]
            if target.shared.map({ known.insert($0).inserted }) ?? true {
                // A rule stops at this limit.
                steps += min(program.minimumSteps(of: target.root), TargetingLimits.ruleSteps)
            }
            // A module whose rule may be false omits the actions after it.
            place += program.isAlwaysTrue(target.root) ? 1 : 1 + target.followers
        }
        return steps
    }
}

extension Program {
    /// Returns whether a rule is a constant that is true.
    fileprivate func isAlwaysTrue(_ root: Int32) -> Bool { constant(root)?.isTrue == true }

    /// Returns the minimum number of steps to evaluate a node for any context.
    ///
    /// It is at most one more than a rule's limit.
    fileprivate func minimumSteps(of index: Int32) -> Int {
        let node = nodes[Int(index)]
        return min(1 + minimumStepsWithin(node), TargetingLimits.ruleSteps + 1)
    }

    private func minimumStepsWithin(_ node: Node) -> Int {
        switch node.operation {
        case .constant:
            guard case .text(let text) = constants[Int(node.detail)] else { return 0 }
            return text.utf8.count / 64
        // The context decides whether the default is evaluated.
        case .variable: return node.detail >= 0 ? 0 : minimum(node, 0..<1)
        case .and, .or: return minimum(node, 0..<1)
        case .choose, .chooseShort: return minimumToChoose(node, from: 0)
        case .version: return minimum(node, 0..<1)
        case .segment: return 0
        case .rollout: return minimum(node, 0..<Int(node.count) - 1)
        case .fractional: return fractionalHasKey(node) ? minimum(node, 0..<1) : 0
        case .contained: return minimum(node, 0..<2) + (elementCount(node, 1) ?? 0) / 8
        case .map, .filter:
            return minimum(node, 0..<1) + (elementCount(node, 0) ?? 0) * minimum(node, 1..<2)
        case .all, .some, .none:
            return minimum(node, 0..<1) + min(elementCount(node, 0) ?? 0, 1) * minimum(node, 1..<2)
        case .reduce:
            return minimum(node, 0..<1) + minimum(node, 2..<3)
                + (elementCount(node, 0) ?? 0) * minimum(node, 1..<2)
        case .list, .missing, .missingSome, .equal, .identical, .notEqual, .notIdentical, .not,
            .truth, .greater, .greaterOrEqual, .less, .lessOrEqual, .maximum, .minimum, .sum,
            .difference, .product, .quotient, .remainder, .merge, .concatenation, .substring,
            .startsWith, .endsWith:
            return minimum(node, 0..<Int(node.count))
        }
    }

    /// Returns the minimum number of steps of the operands in `places` that exist.
    private func minimum(_ node: Node, _ places: Range<Int>) -> Int {
        places.clamped(to: 0..<Int(node.count))
            .reduce(0) { $0 + minimumSteps(of: operand($1, of: node)) }
    }

    /// Returns the minimum number of steps from a condition on.
    private func minimumToChoose(_ node: Node, from place: Int) -> Int {
        guard place < Int(node.count) else { return 0 }
        let condition = minimum(node, place..<place + 1)
        guard place + 1 < Int(node.count) else { return condition }
        let outcome = minimum(node, place + 1..<place + 2)
        return condition + min(outcome, minimumToChoose(node, from: place + 2))
    }

    /// Returns the number of elements of an operand; nil if it isn't a constant list.
    private func elementCount(_ node: Node, _ place: Int) -> Int? {
        guard place < Int(node.count), case .list(let list)? = constant(operand(place, of: node))
        else { return nil }
        return list.elements.count
    }
}
