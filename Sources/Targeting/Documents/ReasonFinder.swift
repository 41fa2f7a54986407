import JSONCodec

/// Finds the reason for a rule's value: the tree of its deciding parts with the values they read.
struct ReasonFinder {
    /// The remaining limits of a document's explanation.
    struct Room {
        /// The number of reasons.
        var count: Int
        /// The number of evaluation steps.
        var steps: Int
    }

    private let behavior: TargetedBehavior
    private let context: TargetingContext
    /// The index of the module or action.
    private let place: Int
    private let target: TargetedBehavior.Target
    private(set) var room: Room
    /// The remaining number of reasons of this rule.
    private var ruleRoom: Int
    /// The segments that are explained already.
    private var segments: Set<Int32> = []

    private var program: Program { behavior.program }

    init(
        behavior: TargetedBehavior,
        context: TargetingContext,
        target place: Int,
        room: Room
    ) {
        self.behavior = behavior
        self.context = context
        self.place = place
        target = behavior.targets[place]
        self.room = room
        ruleRoom = min(room.count, TargetingLimits.ruleReasonCount)
    }

    /// Returns the reason for the rule's value; nil after the document's limit.
    mutating func reason() -> RuleReason? { reason(target.root, .rule(place)) }

    private mutating func reason(_ index: Int32, _ key: Evaluator.KeyPlace) -> RuleReason? {
        guard ruleRoom > 0, room.steps > 0 else { return nil }
        ruleRoom -= 1
        room.count -= 1
        let node = program.nodes[Int(index)]
        let (value, notes) = evaluate(index, key)
        var reason = RuleReason(
            pointer: pointer(index),
            operation: node.operation.operandCount == nil ? nil : node.operation.rawValue,
            value: value.shown,
            isTrue: value.isTrue
        )
        room.steps -= reason.value.shownSteps
        switch node.operation {
        case .and: explain(decisive(node, key, false), key, &reason)
        case .or: explain(decisive(node, key, true), key, &reason)
        case .choose, .chooseShort: explain(choice(node, key), key, &reason)
        case .not, .truth: explain(operands(node), key, &reason)
        case .segment:
            if segments.insert(node.detail).inserted {
                let root = program.segments[Int(node.detail)].root
                explain([root], .segment(Int(node.detail)), &reason)
            }
        case .rollout, .fractional:
            reason.bucket = notes.buckets.last { $0.node == index }.map { bucket in
                RuleReason.Bucket(
                    key: bucket.key?.shown,
                    number: bucket.bucket.map { Int($0) },
                    share: node.operation == .rollout ? Int(node.detail) : nil
                )
            }
            for operand in operands(node) { addReads(operand, key, &reason) }
        case .variable: addRead(index, key, &reason)
        case .missing, .missingSome: addMissing(node, key, &reason)
        default:
            for operand in evaluatedOperands(node) { add(operand, key, &reason, isDirect: true) }
        }
        return reason
    }

    /// Adds the reasons for operands.
    private mutating func explain(
        _ operands: [Int32],
        _ key: Evaluator.KeyPlace,
        _ reason: inout RuleReason
    ) {
        for operand in operands {
            guard let inner = self.reason(operand, key) else {
                reason.isCut = true
                return
            }
            reason.reasons.append(inner)
        }
    }

    /// Adds an operand of an operation that decides alone: the values it read, and the reasons for
    /// its conditions and buckets.
    private mutating func add(
        _ index: Int32,
        _ key: Evaluator.KeyPlace,
        _ reason: inout RuleReason,
        isDirect: Bool
    ) {
        let node = program.nodes[Int(index)]
        switch node.operation {
        case .constant: break
        case .variable: addRead(index, key, &reason)
        case .and, .or, .choose, .chooseShort, .not, .truth, .segment, .rollout, .fractional:
            if isDirect { addValue(index, key, &reason) }
            explain([index], key, &reason)
        case .missing, .missingSome: addMissing(node, key, &reason)
        default:
            for operand in evaluatedOperands(node) { add(operand, key, &reason, isDirect: false) }
        }
    }

    /// Adds all values of the context that a node reads.
    private mutating func addReads(
        _ index: Int32,
        _ key: Evaluator.KeyPlace,
        _ reason: inout RuleReason
    ) {
        let node = program.nodes[Int(index)]
        switch node.operation {
        case .constant: break
        case .variable: addRead(index, key, &reason)
        case .missing, .missingSome: addMissing(node, key, &reason)
        default:
            for operand in evaluatedOperands(node) { addReads(operand, key, &reason) }
        }
    }

    // MARK: Values

    /// Adds the value of a variable, and those that compute its path.
    private mutating func addRead(
        _ index: Int32,
        _ key: Evaluator.KeyPlace,
        _ reason: inout RuleReason
    ) {
        let node = program.nodes[Int(index)]
        guard node.detail < 0 else {
            let path = program.paths[Int(node.detail)]
            return add(index, path.text, isMissing(path), key, &reason)
        }
        let operand = program.operand(0, of: node)
        addReads(operand, key, &reason)
        guard case .text(let text) = evaluate(operand, key).value else { return }
        add(index, text, isMissing(Path(text)), key, &reason)
    }

    /// Adds the paths that `missing` and `missing_some` look up.
    private mutating func addMissing(
        _ node: Program.Node,
        _ key: Evaluator.KeyPlace,
        _ reason: inout RuleReason
    ) {
        let first = node.operation == .missing ? 0 : 1
        for place in first..<max(Int(node.count), first) {
            let operand = program.operand(place, of: node)
            addReads(operand, key, &reason)
            var paths = [evaluate(operand, key).value]
            if case .list(let list)? = paths.first { paths = list.elements }
            for case .text(let text) in paths {
                let path = Path(text)
                let value = context.root.value(at: path.names) ?? .null
                add(
                    RuleReason.Part(
                        pointer: pointer(operand),
                        path: text,
                        value: value.shown,
                        isMissing: isMissing(path)
                    ),
                    to: &reason
                )
            }
        }
    }

    private mutating func add(
        _ index: Int32,
        _ path: String,
        _ isMissing: Bool,
        _ key: Evaluator.KeyPlace,
        _ reason: inout RuleReason
    ) {
        let part = RuleReason.Part(
            pointer: pointer(index),
            path: path,
            value: evaluate(index, key).value.shown,
            isMissing: isMissing
        )
        add(part, to: &reason)
    }

    /// Adds the value of a computed operand.
    private mutating func addValue(
        _ index: Int32,
        _ key: Evaluator.KeyPlace,
        _ reason: inout RuleReason
    ) {
        let value = evaluate(index, key).value.shown
        add(RuleReason.Part(pointer: pointer(index), value: value), to: &reason)
    }

    private mutating func add(_ part: RuleReason.Part, to reason: inout RuleReason) {
        guard reason.parts.count < TargetingLimits.reasonPartCount else {
            reason.isCut = true
            return
        }
        let isKnown = reason.parts.contains { known in
            part.path != nil && known.path == part.path && known.value == part.value
        }
        guard !isKnown else { return }
        reason.parts.append(part)
        room.steps -= part.value.shownSteps
    }

    private func isMissing(_ path: Path) -> Bool {
        path.special == nil && context.root.value(at: path.names) == nil
    }

    // MARK: Nodes

    private mutating func evaluate(
        _ index: Int32,
        _ key: Evaluator.KeyPlace
    ) -> (value: Value, notes: EvaluationNotes) {
        var evaluator = Evaluator(behavior.shared, context)
        evaluator.notes = EvaluationNotes()
        let value = evaluator.value(index, key: key)
        room.steps -= evaluator.takenSteps + 1
        return (value, evaluator.notes ?? EvaluationNotes())
    }

    private func operands(_ node: Program.Node) -> [Int32] {
        (0..<Int(node.count)).map { program.operand($0, of: node) }
    }

    /// Returns the operands that are evaluated with the context, not with an element of a list.
    private func evaluatedOperands(_ node: Program.Node) -> [Int32] {
        guard node.operation.hasScope else { return operands(node) }
        return operands(node).enumerated().filter { $0.offset != 1 }.map(\.element)
    }

    /// Returns the first operand whose truth is `truth`; all of them if there is none.
    private mutating func decisive(
        _ node: Program.Node,
        _ key: Evaluator.KeyPlace,
        _ truth: Bool
    ) -> [Int32] {
        let all = operands(node)
        for operand in all where room.steps > 0 {
            if evaluate(operand, key).value.isTrue == truth { return [operand] }
        }
        return all
    }

    /// Returns the conditions up to the first true one, and the chosen branch.
    private mutating func choice(_ node: Program.Node, _ key: Evaluator.KeyPlace) -> [Int32] {
        var chosen: [Int32] = []
        var place = 0
        while place < Int(node.count), room.steps > 0 {
            let operand = program.operand(place, of: node)
            chosen.append(operand)
            guard place + 1 < Int(node.count) else { break }
            if evaluate(operand, key).value.isTrue {
                chosen.append(program.operand(place + 1, of: node))
                break
            }
            place += 2
        }
        return chosen
    }

    private func pointer(_ node: Int32) -> String {
        program.place(
            node,
            from: target.root,
            at: behavior.modulesPointer + target.rulePointer
        )
    }
}
