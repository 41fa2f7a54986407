public import JSONCodec

/// A rule on its own: JSONLogic with flagd's operations, compiled.
///
/// ```swift
/// let rule = try TargetingRule(["sem_ver": [["var": "version"], ">=", "2.0.0"]])
/// rule.evaluate(try TargetingContext(properties: ["version": "2.1"])).isTrue  // true
/// ```
public struct TargetingRule: Sendable {
    private let shared: SharedProgram
    private let root: Int32

    /// What came of a rule.
    public struct Outcome: Sendable {
        /// The rule's value, null where it had to be ended; what isn't a number is null.
        public let value: JSON
        /// Whether the rule holds: whether JSONLogic takes the value for true.
        public let isTrue: Bool
        /// What went wrong first, and where in the rule; nil where nothing did.
        public let problem: JSONTypeError?
    }

    /// Compiles a rule.
    ///
    /// - Parameters:
    ///   - rule: an object with one operation, or a boolean.
    ///   - key: what its roll-outs are told apart from others by, `$flagd.flagKey` in the rule.
    ///   - segments: named rules that it may use.
    /// - Throws: all that is wrong; pointers lead from the rule on, for segments from `/segments`.
    public init(
        _ rule: JSON,
        key: String = "",
        segments: JSON.Object = [:]
    ) throws(TargetingError) {
        var compiler = RuleCompiler(segments: segments, at: "/segments")
        let compiled = compiler.compile(rule, at: "")
        compiler.checkDepth(compiled, at: "")
        guard compiler.problems.isEmpty else { throw TargetingError(problems: compiler.problems) }
        shared = SharedProgram(compiler.program, keys: [key])
        root = compiled.root
    }

    /// Evaluates the rule; whatever is wrong with a context, there is an outcome.
    public func evaluate(_ context: TargetingContext) -> Outcome {
        var evaluator = Evaluator(shared, context)
        let value = evaluator.value(root, key: .rule(0))
        let problem = evaluator.firstProblem.map { problem in
            JSONTypeError(
                pointer: shared.program.place(of: problem, from: root, at: ""),
                message: problem.reason
            )
        }
        return Outcome(value: value.json, isTrue: value.isTrue, problem: problem)
    }

    /// Whether the rule holds, and nothing else.
    public func holds(for context: TargetingContext) -> Bool {
        var evaluator = Evaluator(shared, context)
        return evaluator.holds(root, key: .rule(0))
    }
}

extension Program {
    /// Where a problem stands in its document.
    func place(of problem: Evaluator.Problem, from root: Int32, at base: String) -> String {
        let place = place(problem.node, from: root, at: base)
        return problem.isOperation ? place + nodes[Int(problem.node)].operation.token : place
    }

    /// Where a node stands in its document: in the rule that stands at `base`, or in a segment.
    func place(_ node: Int32, from root: Int32, at base: String) -> String {
        let own = self.root(node)
        guard own != root, let segment = segments.first(where: { $0.root == own }) else {
            return base + pointer(node)
        }
        return "/segments/" + JSONPointer.escaped(segment.name) + pointer(node)
    }
}
