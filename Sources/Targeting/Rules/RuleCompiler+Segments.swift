extension RuleCompiler {
    /// Reports segments that use themselves, and segments that nest too deep together.
    mutating func checkSegments(_ rules: [(rule: Rule, base: String)]) {
        var walk = SegmentWalk(rules: rules)
        for place in rules.indices { _ = walk.depth(of: place) }
        for (user, use) in walk.cycles {
            let names = use.path.map { program.segments[$0].name }.joined(separator: " → ")
            let name = program.operand(0, of: program.nodes[Int(use.node)])
            reject("a cycle: \(names)", at: rules[user].base + program.pointer(name))
        }
        for (place, depth) in walk.depths.enumerated() where (depth ?? 0) > TargetingLimits.depth {
            reject(
                "nests deeper than \(TargetingLimits.depth), with its segments",
                at: rules[place].base
            )
        }
        segmentDepths = walk.depths.map { $0 ?? 0 }
    }

    /// Checks the nesting depth of a rule, including the segments that it uses.
    mutating func checkDepth(_ rule: Rule, at pointer: String) {
        let depth = rule.uses.map { $0.depth + segmentDepths[Int($0.segment)] }.max() ?? 0
        if depth > TargetingLimits.depth {
            reject("nests deeper than \(TargetingLimits.depth), with its segments", at: pointer)
        }
    }
}

/// Walks the graph of segments.
private struct SegmentWalk {
    let rules: [(rule: RuleCompiler.Rule, base: String)]
    /// The depth of each segment with the segments that it uses; nil if not known yet.
    private(set) var depths: [Int?]
    /// The cycles: the segment and node that close one, and the segments on it.
    private(set) var cycles: [(user: Int, use: (node: Int32, path: [Int]))] = []
    /// The segments from the start of the walk to the current one.
    private var path: [Int] = []

    init(rules: [(rule: RuleCompiler.Rule, base: String)]) {
        self.rules = rules
        depths = Array(repeating: nil, count: rules.count)
    }

    mutating func depth(of place: Int) -> Int {
        if let known = depths[place] { return known }
        path.append(place)
        var depth = rules[place].rule.depth
        for use in rules[place].rule.uses {
            let next = Int(use.segment)
            if let start = path.firstIndex(of: next) {
                cycles.append((place, (use.node, Array(path[start...]) + [next])))
            } else {
                depth = max(depth, use.depth + self.depth(of: next))
            }
        }
        path.removeLast()
        depths[place] = depth
        return depth
    }
}
