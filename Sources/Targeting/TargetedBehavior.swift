public import Behaviors

/// A behavior whose modules and actions may be for some only: its `"when"` rules, compiled.
///
/// ```json
/// [{"name": "Banner", "when": {"==": [{"var": "country"}, "LV"]}, "actions": [
///     {"func": "show"}, {"func": "sparkle", "when": {"rollout": 10}}]}]
/// ```
/// A module is left out with all of its actions where its rule doesn't hold.
public struct TargetedBehavior: Sendable {
    private let compiled: Compiled

    /// All of it, handed on as one reference.
    private final class Compiled: Sendable {
        let document: BehaviorDocument
        let program: SharedProgram
        let targets: [Target]
        /// How many rules have a value that others share.
        let sharedCount: Int
        let modulesPointer: String

        init(_ document: BehaviorDocument, _ book: TargetBook, at base: String) {
            self.document = document
            program = SharedProgram(book.compiler.program, keys: book.keys)
            targets = book.targets
            sharedCount = book.sharedCount
            modulesPointer = base
        }
    }

    /// The document, as it was written.
    public var document: BehaviorDocument { compiled.document }
    /// Where the modules stand in the text, a JSON Pointer: `/modules`, or empty in a bare array.
    package var modulesPointer: String { compiled.modulesPointer }
    var shared: SharedProgram { compiled.program }
    /// The names that its rules ask contexts for, as many as are worth knowing.
    package var names: [Name] { compiled.program.names }
    var program: Program { compiled.program.program }
    var targets: [Target] { compiled.targets }

    /// A module or an action with a rule, whose key is the program's of the same place.
    // Without a reference: each evaluation copies all that it looks at.
    struct Target: Sendable {
        var module: Int
        /// Nil for the module itself.
        var action: Int?
        var root: Int32
        /// How many targets behind it fall with it: those of a module's actions.
        var followers = 0
        /// Where the value of a rule that stands in several places is kept, nil where there is none.
        var shared: Int?
    }

    /// Compiles a document's rules.
    ///
    /// - Parameters:
    ///   - document: the behavior, with `"when"` beside what is for some only.
    ///   - segments: named rules that the document's rules may use: `{"segment": "beta"}`.
    /// - Throws: all that is wrong with the rules; pointers lead into the document, for segments
    ///   they begin with `/segments`.
    public init(_ document: BehaviorDocument, segments: JSON.Object = [:]) throws(TargetingError) {
        try self.init(document, segments: segments, at: "")
    }

    /// Compiles the rules of a document whose modules stand at a place in its text.
    init(
        _ document: BehaviorDocument,
        segments: JSON.Object,
        at base: String
    ) throws(TargetingError) {
        var book = TargetBook(segments: segments, at: base)
        for (place, module) in document.modules.enumerated() { book.add(module, at: place) }
        guard book.compiler.problems.isEmpty else {
            throw TargetingError(problems: book.compiler.problems)
        }
        compiled = Compiled(document, book, at: base)
    }

    /// Whether evaluating the rules once may take more than a millisecond.
    ///
    /// A node takes about 200 instructions.
    package var takesLong: Bool { program.nodes.count > 8192 }

    /// Whether there is any rule; where there is none, everybody gets the same.
    public var isTargeted: Bool { !targets.isEmpty }

    /// What came of a document's rules.
    public struct Evaluation: Sendable {
        /// What is kept and what is left out.
        public var variant: BehaviorVariant
        /// How many rules or operations couldn't be evaluated.
        public var problemCount = 0
        /// The first of them and where it is; nil where nothing went wrong.
        public var firstProblem: JSONTypeError?
    }

    /// Evaluates the rules; whatever is wrong with a context, there is a variant.
    public func evaluate(_ context: TargetingContext) -> Evaluation {
        evaluate(context, tells: true)
    }

    /// Evaluates the rules and counts what goes wrong, without saying what that is: that takes texts.
    package func evaluateQuietly(_ context: TargetingContext) -> Evaluation {
        evaluate(context, tells: false)
    }

    private func evaluate(_ context: TargetingContext, tells: Bool) -> Evaluation {
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
                if tells, evaluation.firstProblem == nil, let problem = evaluator.firstProblem {
                    evaluation.firstProblem = told(problem, of: target)
                }
            }
            if holds { evaluation.variant[place] = true }
            place += holds ? 1 : 1 + target.followers
        }
        evaluation.problemCount = evaluator.problemCount
        return evaluation
    }

    /// The document that a variant is served as: without what is left out and without rules.
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

    /// A problem with where it is in the document.
    func told(_ problem: Evaluator.Problem, of target: Target) -> JSONTypeError {
        let rule = modulesPointer + target.rulePointer
        let place = program.place(of: problem, from: target.root, at: rule)
        return JSONTypeError(pointer: place, message: problem.reason)
    }
}

extension TargetedBehavior.Target {
    /// Where the module or action stands: `/0/actions/1`.
    var pointer: String { action.map { "/\(module)/actions/\($0)" } ?? "/\(module)" }

    /// Where its rule stands.
    var rulePointer: String { pointer + "/when" }
}

/// Collects the targets of a document.
private struct TargetBook {
    var compiler: RuleCompiler
    var targets: [TargetedBehavior.Target] = []
    /// What the targets' roll-outs are told apart from others by.
    var keys: [String] = []
    var sharedCount = 0
    /// The rules that are known, so that one that stands in many places is compiled once.
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
            let key = module.name + "/" + call.function
            add(call.others["when"], module: place, action: action, key: key)
        }
        if isTargeted { targets[first].followers = targets.count - first - 1 }
    }

    @discardableResult
    private mutating func add(_ json: JSON?, module: Int, action: Int?, key: String) -> Bool {
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
            // What is refused is refused in each place.
            if compiler.problems.count == count { known[json] = (rule, targets.count) }
        }
        targets.append(target)
        keys.append(key)
        return true
    }
}
