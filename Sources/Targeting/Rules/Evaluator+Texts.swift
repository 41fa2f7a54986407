extension Evaluator {
    mutating func concatenate(_ node: Program.Node) throws(Stop) -> String {
        var text = ""
        for place in 0..<Int(node.count) {
            let value = try operand(place, node)
            try takeText(of: value)
            let before = text.utf8.count
            try value.append(to: &text)
            try take((text.utf8.count - before) / 64)
        }
        return text
    }

    /// Evaluates `substr`; it counts UTF-16 units, as in JavaScript.
    mutating func substring(_ node: Program.Node) throws(Stop) -> String {
        let text = try text(of: operand(0, node))
        // Finding a UTF-16 offset takes linear time in a text that isn't ASCII.
        try take(text.utf8.count / 2)
        let units = text.utf16
        let start = Self.offset(try number(of: operand(1, node)), in: units.count)
        let first = start < 0 ? max(units.count + start, 0) : min(start, units.count)
        var length = units.count - first
        if node.count > 2 {
            let asked = Self.offset(try number(of: operand(2, node)), in: units.count)
            length = asked < 0 ? max(length + asked, 0) : min(asked, length)
        }
        let from = units.index(units.startIndex, offsetBy: first)
        return String(decoding: units[from..<units.index(from, offsetBy: length)], as: UTF16.self)
    }

    /// Converts a number to an offset into a text of `count` units: rounds it towards zero and
    /// clamps it.
    private static func offset(_ number: Double, in count: Int) -> Int {
        guard !number.isNaN else { return 0 }
        return Int(max(min(number, Double(count)), -Double(count) - 1))
    }

    mutating func compareEnds(_ node: Program.Node, _ index: Int32) throws(Stop) -> Value {
        let whole = try operand(0, node)
        let part = try operand(1, node)
        guard case .text(let text) = whole else { return fail(.notATextFirst, index) }
        guard case .text(let end) = part else { return fail(.notATextSecond, index) }
        try take(end.utf8.count / 64)
        guard end.utf8.count <= text.utf8.count else { return .bool(false) }
        let isStart = node.operation == .startsWith
        let bytes = isStart ? text.utf8.prefix(end.utf8.count) : text.utf8.suffix(end.utf8.count)
        return .bool(bytes.elementsEqual(end.utf8))
    }

    mutating func compareVersions(_ node: Program.Node, _ index: Int32) throws(Stop) -> Value {
        let comparison = program.comparisons[Int(node.detail)]
        let version = try operand(0, node)
        if case .text(let text) = version, let relation = comparison.by,
            let target = comparison.target
        {
            guard let holds = target.holds(text, relation) else { return fail(.notAVersion, index) }
            return .bool(holds)
        }
        try takeText(of: version)
        guard let version = version.version else { return fail(.notAVersion, index) }
        var relation = comparison.by
        if relation == nil { relation = try operand(1, node).versionOperator }
        guard let relation else { return fail(.notAnOperator, index) }
        var target = comparison.target
        if target == nil {
            let value = try operand(2, node)
            try takeText(of: value)
            target = value.version.map { VersionTarget($0) }
        }
        guard let holds = target?.holds(version.text, relation) else {
            return fail(.notATargetVersion, index)
        }
        return .bool(holds)
    }
}
