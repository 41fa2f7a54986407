import Behaviors
public import JSONCodec

/// The reasons for a context's variant: each module and action, in the document's order.
public struct TargetingExplanation: Codable, Hashable, Sendable {
    /// All modules and actions, included or omitted.
    public var targets: [Target]

    /// A module or an action.
    public struct Target: Codable, Hashable, Sendable {
        /// Its JSON Pointer in the document: `/0/actions/1`.
        public var pointer: String
        /// The module's name.
        public var module: String
        /// The function's name; nil for a module.
        public var function: String?
        /// Whether the context receives it.
        public var isKept: Bool
        /// The JSON Pointer of the deciding rule; nil if there is none.
        ///
        /// An action that is omitted with its module has the module's rule.
        public var rule: String?
        /// The path from the rule to its deciding part, each step with its value.
        public var steps: [Step]
        /// The first 50 buckets that the rule evaluated.
        public var buckets: [Bucket]
        /// The first 50 rules or operations that failed.
        public var problems: [Problem]
    }

    /// A part of a rule on the path to the deciding part.
    public struct Step: Codable, Hashable, Sendable {
        /// The JSON Pointer of the part.
        public var pointer: String
        /// The operation's name; nil for a constant or a list.
        public var operation: String?
        /// The part's value.
        public var value: JSON
    }

    /// The bucket of a user.
    public struct Bucket: Codable, Hashable, Sendable {
        /// The JSON Pointer of the rollout or split.
        public var pointer: String
        /// The hashed text, cut if it is long; nil if the context has no targeting key.
        public var key: String?
        /// The bucket, of 100,000; nil without a key.
        public var bucket: Int?
    }

    /// A rule or operation that failed.
    public struct Problem: Codable, Hashable, Sendable {
        /// The JSON Pointer of the rule or operation.
        public var pointer: String
        /// The reason.
        public var message: String
    }
}

extension TargetedBehavior {
    /// Explains a context's variant, consistently with ``evaluate(_:)``.
    ///
    /// It evaluates parts of rules repeatedly. Don't call it on a hot path.
    public func explain(_ context: TargetingContext) -> TargetingExplanation {
        explain(context, within: TargetingLimits.explanationSteps)
    }

    /// Explains a context's variant with at most `steps` steps.
    func explain(_ context: TargetingContext, within steps: Int) -> TargetingExplanation {
        var explainer = Explainer(behavior: self, context: context, room: steps)
        return explainer.explain()
    }
}

/// Walks a document and collects the explanation.
private struct Explainer {
    let behavior: TargetedBehavior
    let context: TargetingContext
    /// The index of the next target.
    private var place = 0
    /// The remaining steps of the explanation.
    private var room: Int

    init(behavior: TargetedBehavior, context: TargetingContext, room: Int) {
        self.behavior = behavior
        self.context = context
        self.room = room
    }

    mutating func explain() -> TargetingExplanation {
        let variant = behavior.evaluate(context).variant
        var explanation = TargetingExplanation(targets: [])
        for (index, module) in behavior.document.modules.enumerated() {
            let own = take(index, nil)
            let pointer = "\(behavior.modulesPointer)/\(index)"
            let entry = explain(pointer, module.name, nil, own, variant)
            explanation.targets.append(entry)
            for (action, call) in module.actions.enumerated() {
                let target = take(index, action)
                let pointer = "\(pointer)/actions/\(action)"
                if entry.isKept {
                    explanation.targets.append(
                        explain(pointer, module.name, call.function, target, variant)
                    )
                } else {
                    var fallen = entry
                    (fallen.pointer, fallen.function) = (pointer, call.function)
                    (fallen.steps, fallen.buckets, fallen.problems) = ([], [], [])
                    explanation.targets.append(fallen)
                }
            }
        }
        return explanation
    }

    /// Returns the target of a module or action; nil if it has no rule.
    private mutating func take(_ module: Int, _ action: Int?) -> Int? {
        guard place < behavior.targets.count, behavior.targets[place].module == module,
            behavior.targets[place].action == action
        else { return nil }
        defer { place += 1 }
        return place
    }

    private mutating func explain(
        _ pointer: String,
        _ module: String,
        _ function: String?,
        _ place: Int?,
        _ variant: BehaviorVariant
    ) -> TargetingExplanation.Target {
        var entry = TargetingExplanation.Target(
            pointer: pointer,
            module: module,
            function: function,
            isKept: true,
            steps: [],
            buckets: [],
            problems: []
        )
        guard let place else { return entry }
        let target = behavior.targets[place]
        let shared = behavior.shared
        let program = behavior.program
        entry.isKept = variant[place]
        let rulePointer = behavior.modulesPointer + target.rulePointer
        entry.rule = rulePointer
        func located(_ node: Int32) -> String {
            program.place(node, from: target.root, at: rulePointer)
        }
        guard room > 0 else {
            entry.problems.append(
                TargetingExplanation.Problem(
                    pointer: rulePointer,
                    message: Stop.explanationTooLong.rawValue
                )
            )
            return entry
        }
        var evaluator = Evaluator(shared, context)
        evaluator.notes = EvaluationNotes()
        let holds = evaluator.holds(target.root, key: .rule(place))
        room -= evaluator.takenSteps
        let count = TargetingLimits.ruleNoteCount
        entry.buckets = (evaluator.notes?.buckets.prefix(count) ?? []).map { bucket in
            let key = bucket.key?.shown
            room -= key?.shownSteps ?? 0
            return TargetingExplanation.Bucket(
                pointer: located(bucket.node),
                key: key,
                bucket: bucket.bucket.map { Int($0) }
            )
        }
        entry.problems = (evaluator.notes?.problems.prefix(count) ?? []).map { problem in
            let described = behavior.described(problem, of: target)
            return TargetingExplanation.Problem(
                pointer: described.pointer,
                message: described.message
            )
        }
        // Alone the rule is true. It was false because earlier rules took the document's steps.
        if holds, !entry.isKept {
            entry.problems.append(
                TargetingExplanation.Problem(
                    pointer: rulePointer,
                    message: Stop.documentTooLong.rawValue
                )
            )
        }
        var trail = DecisionTrail(shared: shared, context: context, room: room)
        defer { room = trail.room }
        entry.steps = trail.steps(target.root, key: .rule(place)).map { node, value in
            let operation = program.nodes[Int(node)].operation
            let shown = value.shown
            trail.room -= shown.shownSteps
            return TargetingExplanation.Step(
                pointer: located(node),
                operation: operation.operandCount == nil ? nil : operation.rawValue,
                value: shown
            )
        }
        return entry
    }
}

/// Finds the path from a rule to its deciding part.
private struct DecisionTrail {
    let shared: SharedProgram
    let context: TargetingContext
    var program: Program { shared.program }
    /// The remaining steps; the path ends when there are none.
    var room: Int

    mutating func steps(_ root: Int32, key: Evaluator.KeyPlace) -> [(node: Int32, value: Value)] {
        var steps: [(node: Int32, value: Value)] = []
        var key = key
        var next: Int32? = root
        while let node = next, room > 0 {
            steps.append((node, value(node, key)))
            let parent = program.nodes[Int(node)]
            switch parent.operation {
            case .and: next = decisive(parent, key, false)
            case .or: next = decisive(parent, key, true)
            case .choose, .chooseShort: next = choice(parent, key, &steps)
            case .not, .truth: next = parent.count > 0 ? program.operand(0, of: parent) : nil
            case .segment:
                let place = Int(parent.detail)
                next = program.segments[place].root
                key = .segment(place)
            default: next = nil
            }
        }
        return steps
    }

    private mutating func value(_ node: Int32, _ key: Evaluator.KeyPlace) -> Value {
        var evaluator = Evaluator(shared, context)
        defer { room -= evaluator.takenSteps }
        return evaluator.value(node, key: key)
    }

    private mutating func decisive(
        _ parent: Program.Node,
        _ key: Evaluator.KeyPlace,
        _ truth: Bool
    ) -> Int32 {
        let last = Int(parent.count) - 1
        for place in 0..<last where room > 0 {
            let operand = program.operand(place, of: parent)
            if value(operand, key).isTrue == truth { return operand }
        }
        return program.operand(last, of: parent)
    }

    /// Returns the chosen branch; the condition that chose it becomes a step of its own.
    private mutating func choice(
        _ parent: Program.Node,
        _ key: Evaluator.KeyPlace,
        _ steps: inout [(node: Int32, value: Value)]
    ) -> Int32? {
        var place = 0
        while place + 1 < Int(parent.count), room > 0 {
            let condition = program.operand(place, of: parent)
            let value = value(condition, key)
            if value.isTrue {
                steps.append((condition, value))
                return program.operand(place + 1, of: parent)
            }
            place += 2
        }
        return place < Int(parent.count) ? program.operand(place, of: parent) : nil
    }
}
