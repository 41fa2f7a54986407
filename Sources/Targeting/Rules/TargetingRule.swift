public import JSONCodec

/// A single compiled rule: JSONLogic with flagd's operations.
///
/// ```swift
/// let rule = try TargetingRule(["sem_ver": [["var": "version"], ">=", "2.0.0"]])
/// rule.evaluate(try TargetingContext(properties: ["version": "2.1"])).isTrue  // true
/// ```
public struct TargetingRule: Sendable {
    private let shared: SharedProgram
    private let root: Int32

    /// The result of a rule.
    public struct Outcome: Sendable {
        /// The rule's value; null if a limit ended the rule or the value is NaN or infinite.
        public let value: JSON
        /// Whether JSONLogic treats the value as true.
        public let isTrue: Bool
        /// The first problem and its location in the rule; nil if there is none.
        public let problem: JSONTypeError?
    }

    /// Compiles a rule.
    ///
    /// - Parameters:
    ///   - rule: an object with one operation, or a boolean.
    ///   - key: the seed of the rule's rollouts, `$flagd.flagKey` in the rule.
    ///   - segments: named rules that it may use.
    /// - Throws: all problems. Pointers are relative to the rule, for segments they begin with
    ///   `/segments`.
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

    /// Evaluates the rule; problems with a context never prevent an outcome.
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

    /// Returns only whether the rule is true.
    public func holds(for context: TargetingContext) -> Bool {
        var evaluator = Evaluator(shared, context)
        return evaluator.holds(root, key: .rule(0))
    }
}

extension Program {
    /// Returns the JSON Pointer of a problem in its document.
    func place(of problem: Evaluator.Problem, from root: Int32, at base: String) -> String {
        let place = place(problem.node, from: root, at: base)
        return problem.isOperation ? place + nodes[Int(problem.node)].operation.token : place
    }

    /// Returns the JSON Pointer of a node in its document: in the rule at `base`, or in a segment.
    func place(_ node: Int32, from root: Int32, at base: String) -> String {
        let own = self.root(node)
        guard own != root, let segment = segments.first(where: { $0.root == own }) else {
            return base + pointer(node)
        }
        return "/segments/" + JSONPointer.escaped(segment.name) + pointer(node)
    }
}
