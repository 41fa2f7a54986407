/// Evaluates a program's rules for one context.
///
/// It never traps or throws. A rule that exceeds a limit ends and is false. An operation that fails
/// is null, as in flagd. Both are recorded as problems.
struct Evaluator {
    private let shared: SharedProgram
    let context: TargetingContext
    /// The location of the current rule's key.
    private var keyPlace = KeyPlace.rule(0)
    /// The current element inside `map` and similar operations; nil for the context.
    var scope: Value?
    /// The remaining steps of the rule.
    var steps = TargetingLimits.ruleSteps
    /// The remaining steps of all rules.
    var documentSteps = TargetingLimits.documentSteps
    /// The results of segments; nil for one that isn't evaluated yet.
    var segments: [Bool?]
    /// The number of problems.
    var problemCount = 0
    /// The first problem.
    var firstProblem: Problem?
    /// The notes for an explanation; nil if none is requested.
    var notes: EvaluationNotes?

    /// A problem during evaluation.
    struct Problem {
        var node: Int32
        /// Whether the problem concerns the node's operation rather than the whole node.
        var isOperation = false
        var reason: String
    }

    /// The location of a key: the index of a rule in the program, or of a segment, whose name is
    /// the key.
    enum KeyPlace {
        case rule(Int)
        case segment(Int)
    }

    var program: Program {
        @inline(__always) get { shared.program }
    }

    /// The current rule's key, which seeds rollouts and splits: `$flagd.flagKey`.
    var key: String {
        switch keyPlace {
        case .rule(let place): shared.keys[place]
        case .segment(let place): program.segments[place].name
        }
    }

    init(_ program: SharedProgram, _ context: TargetingContext) {
        shared = program
        self.context = context
        let program = program.program
        segments =
            program.segments.isEmpty ? [] : Array(repeating: nil, count: program.segments.count)
    }

    /// The number of steps that all rules have taken.
    var takenSteps: Int { TargetingLimits.documentSteps - documentSteps }

    /// Returns whether a rule is true.
    mutating func holds(_ root: Int32, key: KeyPlace) -> Bool { value(root, key: key).isTrue }

    /// Returns the value of a rule or of a part of one; null if a limit ended it.
    mutating func value(_ root: Int32, key: KeyPlace) -> Value {
        keyPlace = key
        let room = min(TargetingLimits.ruleSteps, documentSteps)
        steps = room
        defer { documentSteps -= room - max(steps, 0) }
        do throws(Stop) {
            return try evaluate(root)
        } catch {
            let isDocument = error == .tooManySteps && room < TargetingLimits.ruleSteps
            note(root, (isDocument ? Stop.documentTooLong : error).rawValue)
            return .null
        }
    }

    /// Records the problem of an operation and returns null, the operation's value.
    mutating func fail(_ failure: Failure, _ node: Int32) -> Value {
        note(node, isOperation: true, failure.rawValue)
        return .null
    }

    private mutating func note(_ node: Int32, isOperation: Bool = false, _ reason: String) {
        problemCount += 1
        let problem = Problem(node: node, isOperation: isOperation, reason: reason)
        if firstProblem == nil { firstProblem = problem }
        notes?.problems.append(problem)
    }

    /// Takes steps from the rule's limit.
    @inline(__always)
    mutating func take(_ count: Int = 1) throws(Stop) {
        steps -= count
        if steps < 0 { throw .tooManySteps }
    }

    /// Takes the steps of reading a value, one for each 64 bytes of a text, and returns it.
    @inline(__always)
    private mutating func taken(_ value: Value) throws(Stop) -> Value {
        if case .text(let text) = value { try take(text.utf8.count / 64) }
        return value
    }

    /// Returns the value of a node.
    mutating func evaluate(_ index: Int32) throws(Stop) -> Value {
        try take()
        let node = program.nodes[Int(index)]
        switch node.operation {
        case .constant: return try taken(program.constants[Int(node.detail)])
        case .list: return .list(try list(try operands(node)))
        case .variable: return try taken(variable(node))
        case .missing: return try missing(node)
        case .missingSome: return try missingSome(node)
        case .choose, .chooseShort: return try choose(node)
        case .and: return try decide(node, by: false)
        case .or: return try decide(node, by: true)
        case .not: return .bool(!(try operand(0, node).isTrue))
        case .truth: return .bool(try operand(0, node).isTrue)
        case .equal: return .bool(try isEqual(node))
        case .notEqual: return .bool(!(try isEqual(node)))
        case .identical: return .bool(try isIdentical(node))
        case .notIdentical: return .bool(!(try isIdentical(node)))
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return .bool(try compare(node))
        case .sum, .product, .difference, .quotient, .remainder, .maximum, .minimum:
            return .number(try calculate(node))
        case .map, .filter, .reduce, .all, .none, .some: return try evaluateIteration(node)
        case .merge: return try merge(node)
        case .contained: return .bool(try isContained(node))
        case .concatenation: return .text(try concatenate(node))
        case .substring: return .text(try substring(node))
        case .version: return try compareVersions(node, index)
        case .startsWith, .endsWith: return try compareEnds(node, index)
        case .segment: return .bool(try holds(segment: Int(node.detail)))
        case .rollout: return try rollout(node, index)
        case .fractional: return try fractional(node, index)
        }
    }

    /// Returns the value of an operand; null if the operation has fewer.
    @inline(__always)
    mutating func operand(_ place: Int, _ node: Program.Node) throws(Stop) -> Value {
        guard place < Int(node.count) else { return .null }
        return try evaluate(program.operand(place, of: node))
    }

    /// Returns the values of all operands.
    mutating func operands(_ node: Program.Node) throws(Stop) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(Int(node.count))
        for place in 0..<Int(node.count) { values.append(try operand(place, node)) }
        return values
    }

    /// Returns a new list if it is within the limits.
    func list(_ elements: [Value]) throws(Stop) -> Value.List {
        guard elements.count <= TargetingLimits.listCount else { throw .listTooLong }
        let list = Value.List(elements)
        guard list.depth <= TargetingLimits.valueDepth else { throw .tooDeep }
        return list
    }

    /// Returns whether a segment is true.
    ///
    /// It is evaluated once for a context, as a rule with its name as the key.
    private mutating func holds(segment place: Int) throws(Stop) -> Bool {
        if let known = segments[place] { return known }
        let (outerKey, outerScope) = (keyPlace, scope)
        keyPlace = .segment(place)
        scope = nil
        defer {
            keyPlace = outerKey
            scope = outerScope
        }
        let holds = try evaluate(program.segments[place].root).isTrue
        segments[place] = holds
        return holds
    }
}

/// Details of an evaluation that an explanation shows.
struct EvaluationNotes {
    /// A key and its bucket; nil if the context has no key.
    struct Bucket {
        var node: Int32
        var key: String?
        var bucket: UInt32?
    }

    var problems: [Evaluator.Problem] = []
    var buckets: [Bucket] = []
}
