/// Evaluates the rules of a program for one context.
///
/// Nothing traps and no error leaves it: what a rule does beyond its bounds ends that rule, which is
/// false, and an operation that can't be evaluated is null, as flagd has it. Both are noted.
struct Evaluator {
    private let shared: SharedProgram
    let context: TargetingContext
    /// Where the key of the rule is.
    private var keyPlace = KeyPlace.rule(0)
    /// The element that the rule looks at inside of `map` and its like, nil for the context.
    var scope: Value?
    /// How many steps the rule may still take.
    var steps = Bounds.ruleSteps
    /// How many steps all rules may still take.
    var documentSteps = Bounds.documentSteps
    /// What came of each segment, where it is known.
    var segments: [Bool?]
    /// How many things went wrong.
    var problemCount = 0
    /// The first of them.
    var firstProblem: Problem?
    /// What an explanation shows; nil where nobody asks.
    var notes: EvaluationNotes?

    /// Something that went wrong.
    struct Problem {
        var node: Int32
        /// Whether it is the node's operation, not all of it.
        var isOperation = false
        var reason: String
    }

    /// Where a key is: that of a rule among the program's, and that of a segment, its name.
    enum KeyPlace {
        case rule(Int)
        case segment(Int)
    }

    var program: Program {
        @inline(__always) get { shared.program }
    }

    /// What the rule stands at, for the splits of users: `$flagd.flagKey`.
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

    /// How many steps all rules have taken.
    var takenSteps: Int { Bounds.documentSteps - documentSteps }

    /// Whether a rule holds.
    mutating func holds(_ root: Int32, key: KeyPlace) -> Bool { value(root, key: key).isTrue }

    /// The value of a rule or of a part of one; null where it had to be ended.
    mutating func value(_ root: Int32, key: KeyPlace) -> Value {
        keyPlace = key
        let room = min(Bounds.ruleSteps, documentSteps)
        steps = room
        defer { documentSteps -= room - max(steps, 0) }
        do throws(Stop) {
            return try evaluate(root)
        } catch {
            let isDocument = error == .tooManySteps && room < Bounds.ruleSteps
            note(root, (isDocument ? Stop.documentTooLong : error).rawValue)
            return .null
        }
    }

    /// Notes what went wrong in an operation, whose value is null then.
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

    /// Takes steps.
    @inline(__always)
    mutating func take(_ count: Int = 1) throws(Stop) {
        steps -= count
        if steps < 0 { throw .tooManySteps }
    }

    /// A value that will be looked at: each 64 bytes of a text are a step.
    @inline(__always)
    private mutating func taken(_ value: Value) throws(Stop) -> Value {
        if case .text(let text) = value { try take(text.utf8.count / 64) }
        return value
    }

    /// The value of a node.
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
        case .sum, .product, .difference, .quotient, .remainder, .greatest, .least:
            return .number(try calculate(node))
        case .map, .filter, .reduce, .all, .none, .some: return try goThrough(node)
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

    /// The value of an operand, null where there is none.
    @inline(__always)
    mutating func operand(_ place: Int, _ node: Program.Node) throws(Stop) -> Value {
        guard place < Int(node.count) else { return .null }
        return try evaluate(program.operand(place, of: node))
    }

    /// The values of all operands.
    mutating func operands(_ node: Program.Node) throws(Stop) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(Int(node.count))
        for place in 0..<Int(node.count) { values.append(try operand(place, node)) }
        return values
    }

    /// A list that a rule makes, within its bounds.
    func list(_ elements: [Value]) throws(Stop) -> Value.List {
        guard elements.count <= Bounds.listCount else { throw .listTooLong }
        let list = Value.List(elements)
        guard list.depth <= Bounds.valueDepth else { throw .tooDeep }
        return list
    }

    /// Whether a segment holds: it is evaluated once for a context, as a rule of its own, with its
    /// name as its key.
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

/// What an explanation needs to know of an evaluation.
struct EvaluationNotes {
    /// A key and the bucket that it lies in, nil where the context has no key.
    struct Bucket {
        var node: Int32
        var key: String?
        var bucket: UInt32?
    }

    var problems: [Evaluator.Problem] = []
    var buckets: [Bucket] = []
}
