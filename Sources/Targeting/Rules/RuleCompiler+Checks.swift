extension RuleCompiler {
    /// Checks an operation's constant operands, and sets the node's detail.
    mutating func check(_ node: Int32, isScoped: Bool) {
        let operation = program.nodes[Int(node)].operation
        switch operation {
        case .variable: checkVariable(node, isScoped)
        case .missing: checkNames(node)
        case .missingSome: checkMissingSome(node)
        case .segment: checkSegment(node)
        case .rollout: checkRollout(node)
        case .fractional: checkFractional(node)
        case .version: checkVersion(node)
        case .startsWith, .endsWith:
            for place in 0...1 {
                expect(node, place, "a text") { if case .text = $0 { true } else { false } }
            }
        case .contained:
            expect(node, 1, "a list or a text") { value in
                switch value {
                case .list, .text: true
                default: false
                }
            }
        case .map, .filter, .reduce, .all, .none, .some:
            expect(node, 0, "a list") { if case .list = $0 { true } else { false } }
        case .substring:
            for place in 1..<Int(program.nodes[Int(node)].count) {
                expect(node, place, "an integer") { $0.integer != nil }
            }
        default:
            if operation.isArithmetic { checkArithmetic(node, operation) }
        }
    }

    /// Returns an operand's constant; nil if it isn't constant.
    func constant(_ node: Int32, _ place: Int) -> Value? {
        let parent = program.nodes[Int(node)]
        guard place < Int(parent.count) else { return nil }
        return program.constant(program.operand(place, of: parent))
    }

    /// Checks an operand if it is a constant.
    private mutating func expect(
        _ node: Int32,
        _ place: Int,
        _ expected: String,
        _ isExpected: (Value) -> Bool
    ) {
        guard let constant = constant(node, place), !isExpected(constant) else { return }
        reject("expected \(expected)", program.operand(place, of: program.nodes[Int(node)]))
    }

    private mutating func checkVariable(_ node: Int32, _ isScoped: Bool) {
        let parent = program.nodes[Int(node)]
        guard parent.count > 0 else { return setDetail(add(Path("")), of: node) }
        let operand = program.operand(0, of: parent)
        guard let constant = program.constant(operand) else {
            // A computed path may be `$flagd.flagKey`.
            rule.isKeyed = true
            return
        }
        var path = Path("")
        switch constant {
        case .null: break
        case .text(let text): path = Path(text)
        case .number: path = Path((try? constant.text()) ?? "")
        default: return reject("expected a path, a text", operand)
        }
        if path.text.utf8.starts(with: "$flagd".utf8), !isScoped {
            guard let special = path.special else {
                return reject("expected $flagd.flagKey or $flagd.timestamp", operand)
            }
            if special == .flagKey { rule.isKeyed = true }
        }
        if isScoped { path = path.withoutSpecial }
        setDetail(add(path), of: node)
    }

    private mutating func checkNames(_ node: Int32) {
        for place in 0..<Int(program.nodes[Int(node)].count) {
            expect(node, place, "a path or a list of paths") { $0.isPath || $0.isListOfPaths }
        }
    }

    private mutating func checkMissingSome(_ node: Int32) {
        expect(node, 0, "a number of needed paths, an integer above 0") { ($0.integer ?? 0) > 0 }
        expect(node, 1, "a list of paths") { $0.isListOfPaths }
        if let needed = constant(node, 0)?.integer, case .list(let list)? = constant(node, 1),
            needed > list.elements.count
        {
            reject(
                "more than the list's number of paths",
                program.operand(0, of: program.nodes[Int(node)])
            )
        }
    }

    private mutating func checkSegment(_ node: Int32) {
        let operand = program.operand(0, of: program.nodes[Int(node)])
        guard case .text(let name)? = program.constant(operand) else {
            return reject("expected a segment's name", operand)
        }
        guard let segment = segment(named: name) else {
            return reject("no such segment", operand)
        }
        setDetail(segment, of: node)
        rule.uses.append((segment, node, depth(of: node)))
    }

    private mutating func checkVersion(_ node: Int32) {
        expect(node, 0, "a semantic version") { $0.version != nil }
        expect(node, 1, "one of =, !=, <, <=, >, >=, ^, ~") { $0.versionOperator != nil }
        expect(node, 2, "a semantic version") { $0.version != nil }
        let comparison = Program.Comparison(
            by: constant(node, 1)?.versionOperator,
            target: constant(node, 2)?.version
        )
        setDetail(add(comparison), of: node)
    }

    private mutating func checkArithmetic(_ node: Int32, _ operation: Operation) {
        for place in 0..<Int(program.nodes[Int(node)].count) {
            expect(node, place, "a number") { value in
                let isAdded = operation == .sum || operation == .product
                let number = isAdded ? try? value.leadingNumber() : try? value.number()
                return number.map { !$0.isNaN } ?? false
            }
        }
        if operation == .quotient || operation == .remainder,
            let divisor = try? constant(node, 1)?.number(), divisor == 0
        {
            reject("divides by zero", program.operand(1, of: program.nodes[Int(node)]))
        }
    }
}

extension Value {
    /// The integer; nil for another value.
    var integer: Int? {
        guard case .number(let number) = self else { return nil }
        return Int(exactly: number)
    }

    /// The version; as in flagd, numbers are read as texts: 1.2 is `1.2.0`.
    var version: SemanticVersion? {
        switch self {
        case .text(let text): SemanticVersion(text)
        case .number: (try? text()).flatMap { SemanticVersion($0) }
        default: nil
        }
    }

    /// The version operator of this name.
    var versionOperator: VersionOperator? {
        guard case .text(let text) = self else { return nil }
        return VersionOperator(rawValue: text)
    }

    fileprivate var isPath: Bool {
        switch self {
        case .text, .number: true
        default: false
        }
    }

    fileprivate var isListOfPaths: Bool {
        guard case .list(let list) = self else { return false }
        return list.elements.allSatisfy(\.isPath)
    }
}
