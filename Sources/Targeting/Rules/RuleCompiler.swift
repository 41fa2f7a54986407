import JSONCodec

/// Compiles rules and segments to a program, and collects all problems in them.
struct RuleCompiler {
    /// The result of compiling a rule.
    struct Rule {
        var root: Int32
        /// The nesting depth without segments.
        var depth = 0
        /// Whether the result depends on the rule's key, as rollouts do.
        var isKeyed = false
        /// The segments that the rule uses, each with the node and the depth of its use.
        var uses: [(segment: Int32, node: Int32, depth: Int)] = []
    }

    private(set) var program = Program()
    private(set) var problems: [JSONTypeError] = []
    /// The current rule.
    var rule = Rule(root: 0)
    /// The JSON Pointer of the current rule in the document.
    private var base = ""
    private var segmentPlaces: [String: Int32] = [:]
    /// The nesting depth of each segment, including the segments that it uses.
    var segmentDepths: [Int] = []

    /// Compiles the segments that rules may use.
    init(segments: JSON.Object, at pointer: String) {
        guard segments.count <= TargetingLimits.segmentCount else {
            problems.append(
                JSONTypeError(pointer: pointer, message: "more than 1,000 segments")
            )
            return
        }
        for (place, name) in segments.names.enumerated() {
            segmentPlaces[name] = Int32(place)
            program.segments.append(Program.Segment(name: name, root: -1))
        }
        var rules: [(rule: Rule, base: String)] = []
        for (place, segment) in segments.enumerated() {
            let base = pointer + "/" + JSONPointer.escaped(segment.name)
            if !Self.isName(segment.name) {
                reject("expected a name of 1 to 64 letters, digits, '-', '_' and '.'", at: base)
            }
            let rule = compile(segment.value, at: base)
            program.segments[place].root = rule.root
            rules.append((rule, base))
        }
        checkSegments(rules)
    }

    /// Compiles one rule.
    mutating func compile(_ json: JSON, at pointer: String) -> Rule {
        base = pointer
        rule = Rule(root: Int32(program.nodes.count))
        switch json {
        case .object, .bool: add(json, under: nil, slot: -1, depth: 1, isScoped: false)
        default:
            reject("expected a rule: an object with one operation, true or false", at: base)
            add(.null, under: nil, slot: -1, depth: 1, isScoped: false)
        }
        return rule
    }

    /// Records a problem with a node or a value below it.
    mutating func reject(_ message: String, _ node: Int32, _ below: String = "") {
        reject(message, at: base + program.pointer(node) + below)
    }

    /// Records a problem.
    mutating func reject(_ message: String, at pointer: String) {
        guard problems.count < TargetingLimits.problemCount else { return }
        problems.append(JSONTypeError(pointer: pointer, message: message))
    }

    /// Returns the index of the segment with this name.
    func segment(named name: String) -> Int32? { segmentPlaces[name] }

    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: ".")
            }
    }
}

// MARK: Nodes

extension RuleCompiler {
    /// Adds a value of a rule with its descendants.
    @discardableResult
    private mutating func add(
        _ json: JSON,
        under parent: Int32?,
        slot: Int,
        depth: Int,
        isScoped: Bool
    ) -> Int32 {
        let index = Int32(program.nodes.count)
        // An invalid node stays an operation without details, so one problem is reported once.
        program.nodes.append(
            Program.Node(
                operation: .choose,
                parent: parent ?? index,
                slot: Int32(slot)
            )
        )
        rule.depth = max(rule.depth, depth)
        guard hasRoom(index, depth) else { return index }
        if isLiteral(json, room: TargetingLimits.valueDepth) {
            addConstant(json, index)
            return index
        }
        if case .array(let elements) = json {
            program.nodes[Int(index)].operation = .list
            addOperands(elements, index, depth, isScoped: isScoped, isListed: true)
        } else {
            addOperation(json, index, depth, isScoped)
        }
        return index
    }

    private mutating func hasRoom(_ index: Int32, _ depth: Int) -> Bool {
        if depth > TargetingLimits.depth {
            reject("nests deeper than \(TargetingLimits.depth)", index)
            return false
        }
        // Each limit is reported once, at the first node that exceeds it.
        if Int(index - rule.root) >= TargetingLimits.ruleSize {
            if Int(index - rule.root) == TargetingLimits.ruleSize {
                reject("more than 1,000 operations and operands in a rule", rule.root)
            }
            return false
        }
        if Int(index) >= TargetingLimits.documentSize {
            if Int(index) == TargetingLimits.documentSize {
                reject("more than 200,000 operations and operands", at: "")
            }
            return false
        }
        return true
    }

    /// Whether all nodes so far are within the limits.
    private var isWithinSize: Bool {
        program.nodes.count - Int(rule.root) <= TargetingLimits.ruleSize
            && program.nodes.count <= TargetingLimits.documentSize
    }

    /// Returns whether the value contains no operation.
    private func isLiteral(_ json: JSON, room: Int) -> Bool {
        switch json {
        case .null, .bool, .number, .string: true
        case .array(let elements):
            room > 0 && elements.allSatisfy { isLiteral($0, room: room - 1) }
        case .object: false
        }
    }

    private mutating func addConstant(_ json: JSON, _ index: Int32) {
        guard let value = Value(json) else { return reject("out of range", index) }
        program.nodes[Int(index)].operation = .constant
        program.nodes[Int(index)].detail = Int32(program.constants.count)
        program.constants.append(value)
    }

    private mutating func addOperation(
        _ json: JSON,
        _ index: Int32,
        _ depth: Int,
        _ isScoped: Bool
    ) {
        guard let members = json.object, members.count == 1,
            let member = members.first(where: { _ in true })
        else {
            return reject("expected one operation, an object with one member", index)
        }
        guard let operation = Operation(named: member.name),
            let accepted = operation.operandCount
        else {
            return reject("no such operation", index, "/" + JSONPointer.escaped(member.name))
        }
        let isListed = member.value.array != nil
        let values = member.value.array ?? [member.value]
        program.nodes[Int(index)].operation = operation
        addOperands(values, index, depth, isScoped: isScoped, isListed: isListed)
        guard accepted.contains(values.count) else {
            let expected = Self.words(accepted)
            return reject("takes \(expected), not \(values.count)", index, operation.token)
        }
        // Nodes that exceed the limits are already reported and omitted.
        guard isWithinSize else { return }
        check(index, isScoped: isScoped)
    }

    private mutating func addOperands(
        _ values: [JSON],
        _ index: Int32,
        _ depth: Int,
        isScoped: Bool,
        isListed: Bool
    ) {
        let operation = program.nodes[Int(index)].operation
        var operands: [Int32] = []
        operands.reserveCapacity(values.count)
        for (place, value) in values.enumerated() {
            // Nodes that exceed the limits are reported once and omitted.
            guard isWithinSize else { break }
            operands.append(
                add(
                    value,
                    under: index,
                    slot: isListed ? place : -1,
                    depth: depth + 1,
                    isScoped: isScoped || operation.hasScope && place == 1
                )
            )
        }
        program.nodes[Int(index)].first = Int32(program.operands.count)
        program.nodes[Int(index)].count = Int32(operands.count)
        program.operands += operands
    }

    /// Returns a number of operands in words: `2 operands`, `2 to 3 operands`, `at least 1
    /// operand`.
    private static func words(_ accepted: ClosedRange<Int>) -> String {
        let (minimum, most) = (accepted.lowerBound, accepted.upperBound)
        if most == Int.max { return "at least \(minimum) operand" + (minimum == 1 ? "" : "s") }
        if minimum == most { return "\(minimum) operand" + (minimum == 1 ? "" : "s") }
        if minimum == 0 { return "at most \(most) operand" + (most == 1 ? "" : "s") }
        return "\(minimum) to \(most) operands"
    }

    /// Sets a node's ``Program/Node/detail``.
    mutating func setDetail(_ detail: Int32, of node: Int32) {
        program.nodes[Int(node)].detail = detail
    }

    /// Adds a path and returns its index.
    mutating func add(_ path: Path) -> Int32 {
        program.paths.append(path)
        return Int32(program.paths.count - 1)
    }

    /// Adds a split and returns its index.
    mutating func add(_ split: Program.Split) -> Int32 {
        program.splits.append(split)
        return Int32(program.splits.count - 1)
    }

    /// Adds a version comparison and returns its index.
    mutating func add(_ comparison: Program.Comparison) -> Int32 {
        program.comparisons.append(comparison)
        return Int32(program.comparisons.count - 1)
    }

    /// Returns the depth of a node in its rule.
    func depth(of node: Int32) -> Int {
        var depth = 1
        var node = node
        while program.nodes[Int(node)].parent != node {
            depth += 1
            node = program.nodes[Int(node)].parent
        }
        return depth
    }
}

extension Operation {
    /// Its name as a token of a JSON Pointer, with the leading slash.
    var token: String { "/" + JSONPointer.escaped(rawValue) }
}
