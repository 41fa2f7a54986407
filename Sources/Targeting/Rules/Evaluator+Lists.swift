extension Evaluator {
    /// Evaluates `map`, `filter`, `reduce`, `all`, `none` and `some`.
    mutating func evaluateIteration(_ node: Program.Node) throws(Stop) -> Value {
        let subject = try operand(0, node)
        let body = program.operand(1, of: node)
        if node.operation == .reduce {
            let initial = try operand(2, node)
            guard case .list(let list) = subject else { return initial }
            return try reduce(list.elements, initial, body)
        }
        var elements: [Value] = []
        if case .list(let list) = subject { elements = list.elements }
        switch node.operation {
        case .map:
            var results: [Value] = []
            for element in elements { results.append(try evaluate(body, of: element)) }
            return .list(try list(results))
        case .filter:
            var kept: [Value] = []
            for element in elements where try evaluate(body, of: element).isTrue {
                kept.append(element)
            }
            return .list(try list(kept))
        case .all:
            for element in elements where !(try evaluate(body, of: element).isTrue) {
                return .bool(false)
            }
            return .bool(!elements.isEmpty)
        default:
            for element in elements where try evaluate(body, of: element).isTrue {
                return .bool(node.operation == .some)
            }
            return .bool(node.operation == .none)
        }
    }

    private static let current = Name("current")
    private static let accumulator = Name("accumulator")

    private mutating func reduce(
        _ elements: [Value],
        _ initial: Value,
        _ body: Int32
    ) throws(Stop) -> Value {
        var result = initial
        for element in elements {
            try take(TargetingLimits.reductionSteps)
            let members = Value.Members([
                Value.Member(name: Self.current, value: element),
                Value.Member(name: Self.accumulator, value: result),
            ])
            result = try evaluate(body, of: .members(members))
            guard result.depth <= TargetingLimits.valueDepth else { throw .tooDeep }
        }
        return result
    }

    /// Evaluates a node with an element as its scope.
    private mutating func evaluate(_ body: Int32, of element: Value) throws(Stop) -> Value {
        let outer = scope
        scope = element
        defer { scope = outer }
        return try evaluate(body)
    }

    mutating func merge(_ node: Program.Node) throws(Stop) -> Value {
        var merged: [Value] = []
        for place in 0..<Int(node.count) {
            switch try operand(place, node) {
            case .list(let list):
                try take(list.elements.count / 4)
                merged += list.elements
            case let value: merged.append(value)
            }
            guard merged.count <= TargetingLimits.listCount else { throw .listTooLong }
        }
        return .list(try list(merged))
    }

    /// Evaluates `in`: whether a list contains an element, or a text contains another.
    mutating func isContained(_ node: Program.Node) throws(Stop) -> Bool {
        let element = try operand(0, node)
        switch try operand(1, node) {
        case .list(let list):
            try take(list.elements.count / 8)
            if case .text(let text) = element { return try isContained(text, among: list) }
            for other in list.elements where other.isIdentical(to: element) { return true }
            return false
        case .text(let text):
            return text.isEmpty ? false : try isContained(self.text(of: element), in: text)
        case .null, .bool, .number, .members: return false
        }
    }

    /// Returns whether a list contains a text; each 64 compared bytes are a step.
    private mutating func isContained(
        _ text: String,
        among list: Value.List
    ) throws(Stop) -> Bool {
        let count = text.utf8.count
        var compared = 0
        for case .text(let other) in list.elements where other.utf8.count == count {
            let length = commonLength(text, other)
            if length == count { return true }
            compared += length
            if compared >= 64 {
                try take(compared / 64)
                compared = 0
            }
        }
        return false
    }

    /// Returns whether a text contains another; each 64 compared bytes are a step.
    private mutating func isContained(_ part: String, in text: String) throws(Stop) -> Bool {
        var part = part
        var text = text
        var compared = 0
        let room = steps * 64
        let found = text.withUTF8 { text in
            part.withUTF8 { part in
                guard part.count <= text.count else { return false }
                for start in 0...text.count - part.count {
                    var at = 0
                    while at < part.count, text[start + at] == part[at] { at += 1 }
                    if at == part.count { return true }
                    compared += at + 1
                    if compared > room { return false }
                }
                return false
            }
        }
        try take(compared / 64)
        return found
    }
}
