public import Behaviors

/// A behavior with compiled `"when"` rules, which limit modules and actions to some contexts.
///
/// ```json
/// [{"name": "Banner", "when": {"==": [{"var": "country"}, "LV"]}, "actions": [
///     {"func": "show"}, {"func": "sparkle", "when": {"rollout": 10}}]}]
/// ```
/// If a module's rule is false, the module is omitted with all its actions.
public struct TargetedBehavior: Sendable {
    private let compiled: Compiled

    /// All stored properties, behind one reference.
    private final class Compiled: Sendable {
        let document: BehaviorDocument
        let segments: JSON.Object
        let program: SharedProgram
        let targets: [Target]
        /// The number of rule results that several targets share.
        let sharedCount: Int
        let modulesPointer: String

        init(
            _ document: BehaviorDocument,
            _ segments: JSON.Object,
            _ book: TargetCollector,
            at base: String
        ) {
            self.document = document
            self.segments = segments
            program = SharedProgram(book.compiler.program, keys: book.keys)
            targets = book.targets
            sharedCount = book.sharedCount
            modulesPointer = base
        }
    }

    /// The document, as the author wrote it.
    public var document: BehaviorDocument { compiled.document }
    /// The named rules, as the author wrote them.
    package var segments: JSON.Object { compiled.segments }
    /// The JSON Pointer of the modules in the text: `/modules`, or empty in a bare array.
    package var modulesPointer: String { compiled.modulesPointer }
    var shared: SharedProgram { compiled.program }
    /// Likely names in contexts, which the rules read.
    package var names: [Name] { compiled.program.names }
    var program: Program { compiled.program.program }
    var targets: [Target] { compiled.targets }

    /// A module or an action with a rule. Its index is that of its key in the program.
    // A struct without references, because each evaluation copies the targets it reads.
    struct Target: Sendable {
        var module: Int
        /// Nil for the module itself.
        var action: Int?
        var root: Int32
        /// The number of targets after this one that are omitted with it: those of a module's
        /// actions.
        var followers = 0
        /// The index of the result that equal rules share; nil for a rule that occurs once.
        var shared: Int?
    }

    /// Compiles a document's rules.
    ///
    /// - Parameters:
    ///   - document: the behavior, with `"when"` in modules and actions.
    ///   - segments: named rules that the document's rules may use: `{"segment": "beta"}`.
    /// - Throws: all problems with the rules. Pointers are relative to the document; those of
    ///   segments begin with `/segments`.
    public init(_ document: BehaviorDocument, segments: JSON.Object = [:]) throws(TargetingError) {
        try self.init(document, segments: segments, at: "")
    }

    /// Compiles a document's rules; `base` is the JSON Pointer of its modules in the text.
    init(
        _ document: BehaviorDocument,
        segments: JSON.Object,
        at base: String
    ) throws(TargetingError) {
        var book = TargetCollector(segments: segments, at: base)
        for (place, module) in document.modules.enumerated() { book.add(module, at: place) }
        guard book.compiler.problems.isEmpty else {
            throw TargetingError(problems: book.compiler.problems)
        }
        compiled = Compiled(document, segments, book, at: base)
    }

    /// Whether evaluating the rules once may take more than a millisecond.
    ///
    /// A node takes about 200 instructions.
    package var takesLong: Bool { program.nodes.count > 8192 }

    /// Whether the document has rules; without rules every context receives the same bytes.
    public var isTargeted: Bool { !targets.isEmpty }

    /// The result of evaluating a document's rules.
    public struct Evaluation: Sendable {
        /// The included modules and actions.
        public var variant: BehaviorVariant
        /// The number of rules or operations that failed.
        public var problemCount = 0
        /// The first problem and its location; nil if there is none.
        public var firstProblem: JSONTypeError?
    }

    /// Evaluates the rules; problems with a context never prevent a variant.
    public func evaluate(_ context: TargetingContext) -> Evaluation {
        evaluate(context, describesProblem: true)
    }

    /// Evaluates the rules and counts problems without describing them, which would create texts.
    package func evaluateQuietly(_ context: TargetingContext) -> Evaluation {
        evaluate(context, describesProblem: false)
    }

    private func evaluate(_ context: TargetingContext, describesProblem: Bool) -> Evaluation {
        let targets = compiled.targets
        var evaluation = Evaluation(variant: BehaviorVariant(count: targets.count))
        guard isTargeted else { return evaluation }
        var evaluator = Evaluator(compiled.program, context)
        let count = compiled.sharedCount
        var shared: [Bool?] = count > 0 ? Array(repeating: nil, count: count) : []
        var place = 0
        while place < targets.count {
            let target = targets[place]
            let slot = target.shared
            let holds: Bool
            if let slot, let known = shared[slot] {
                holds = known
            } else {
                holds = evaluator.holds(target.root, key: .rule(place))
                if let slot { shared[slot] = holds }
                if describesProblem, evaluation.firstProblem == nil,
                    let problem = evaluator.firstProblem
                {
                    evaluation.firstProblem = described(problem, of: target)
                }
            }
            if holds { evaluation.variant[place] = true }
            place += holds ? 1 : 1 + target.followers
        }
        evaluation.problemCount = evaluator.problemCount
        return evaluation
    }

    /// Returns the document of a variant: without omitted parts and without rules.
    public func behavior(of variant: BehaviorVariant) -> BehaviorDocument {
        var kept = document
        var leftOut: [Int: Set<Int>] = [:]
        var modulesLeftOut: Set<Int> = []
        for (place, target) in targets.enumerated() where !variant[place] {
            if let action = target.action {
                leftOut[target.module, default: []].insert(action)
            } else {
                modulesLeftOut.insert(target.module)
            }
        }
        kept.modules = document.modules.enumerated().compactMap { place, module in
            guard !modulesLeftOut.contains(place) else { return nil }
            var module = module
            module.others["when"] = nil
            let absent = leftOut[place] ?? []
            module.actions = module.actions.enumerated().compactMap { place, action in
                guard !absent.contains(place) else { return nil }
                var action = action
                action.others["when"] = nil
                return action
            }
            return module
        }
        return kept
    }

    /// Returns a problem with its location in the document.
    func described(_ problem: Evaluator.Problem, of target: Target) -> JSONTypeError {
        let rule = modulesPointer + target.rulePointer
        let place = program.place(of: problem, from: target.root, at: rule)
        return JSONTypeError(pointer: place, message: problem.reason)
    }
}

extension TargetedBehavior.Target {
    /// The JSON Pointer of the module or action from the modules on: `/0/actions/1`.
    var pointer: String { action.map { "/\(module)/actions/\($0)" } ?? "/\(module)" }

    /// The JSON Pointer of the rule.
    var rulePointer: String { pointer + "/when" }
}

/// Collects the targets of a document.
private struct TargetCollector {
    var compiler: RuleCompiler
    var targets: [TargetedBehavior.Target] = []
    /// The key of each target, which seeds its rollouts.
    var keys: [String] = []
    var sharedCount = 0
    /// The compiled rules, so that a rule that occurs several times is compiled once.
    private var known: [JSON: (rule: RuleCompiler.Rule, target: Int)] = [:]
    private let base: String

    init(segments: JSON.Object, at base: String) {
        compiler = RuleCompiler(segments: segments, at: "/segments")
        self.base = base
    }

    mutating func add(_ module: BehaviorModule, at place: Int) {
        let first = targets.count
        let isTargeted = add(module.others["when"], module: place, action: nil, key: module.name)
        for (action, call) in module.actions.enumerated() {
            let rule = call.others["when"]
            add(rule, module: place, action: action, key: module.name + "/" + call.function)
        }
        if isTargeted { targets[first].followers = targets.count - first - 1 }
    }

    @discardableResult
    private mutating func add(
        _ json: JSON?,
        module: Int,
        action: Int?,
        key: @autoclosure () -> String
    ) -> Bool {
        guard let json else { return false }
        var target = TargetedBehavior.Target(module: module, action: action, root: 0)
        if let (rule, first) = known[json] {
            target.root = rule.root
            if !rule.isKeyed {
                let slot = targets[first].shared ?? sharedCount
                if slot == sharedCount { sharedCount += 1 }
                targets[first].shared = slot
                target.shared = slot
            }
        } else {
            let count = compiler.problems.count
            let rule = compiler.compile(json, at: base + target.rulePointer)
            compiler.checkDepth(rule, at: base + target.rulePointer)
            target.root = rule.root
            // An invalid rule is compiled again, so that its problems are reported at each place.
            if compiler.problems.count == count { known[json] = (rule, targets.count) }
        }
        targets.append(target)
        keys.append(key())
        return true
    }
}
