/// Compiles a regular expression to an automaton by recursive descent.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var at = 0
    private var depth = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func steps() throws(Pattern.Invalid) -> [Pattern.Step] {
        let steps = try alternatives()
        guard at == scalars.count else { throw invalid("\")\" without \"(\"") }
        return try bounded(steps + [.match])
    }

    // MARK: Grammar

    private mutating func alternatives() throws(Pattern.Invalid) -> [Pattern.Step] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 64 else { throw invalid("groups nest deeper than 64") }
        var steps = try sequence()
        while skip("|") {
            let other = try sequence()
            // split, one, jump to the end, other
            steps =
                [.split(1, steps.count + 2)] + moved(steps, by: 1) + [
                    .jump(steps.count + other.count + 2)
                ]
                + moved(other, by: steps.count + 2)
            steps = try bounded(steps)
        }
        return steps
    }

    private mutating func sequence() throws(Pattern.Invalid) -> [Pattern.Step] {
        var steps: [Pattern.Step] = []
        while let next = peek, next != "|", next != ")" {
            let term = try quantified()
            steps = try bounded(steps + moved(term, by: steps.count))
        }
        return steps
    }

    private mutating func quantified() throws(Pattern.Invalid) -> [Pattern.Step] {
        let term = try self.term()
        let isAssertion = term.allSatisfy { if case .assert = $0 { true } else { false } }
        let (least, most): (Int, Int?)
        switch peek {
        case "*": (least, most) = (0, nil)
        case "+": (least, most) = (1, nil)
        case "?": (least, most) = (0, 1)
        case "{":
            guard let counts = try counts() else { throw invalid("\"{\" without a valid count") }
            (least, most) = counts
            at -= 1
        default: return term
        }
        at += 1
        // Lazy or not, the same texts match.
        _ = skip("?")
        if let next = peek, "*+?{".unicodeScalars.contains(next) {
            throw invalid("a quantifier after a quantifier")
        }
        guard !isAssertion || term.isEmpty else { throw invalid("a quantifier after an assertion") }
        return try repeated(term, least, most)
    }

    private mutating func repeated(
        _ term: [Pattern.Step],
        _ least: Int,
        _ most: Int?
    ) throws(Pattern.Invalid) -> [Pattern.Step] {
        guard max(least, most ?? 0) * max(term.count, 1) <= Pattern.maximumCount else {
            throw tooLarge
        }
        var steps: [Pattern.Step] = []
        for _ in 0..<least { steps += moved(term, by: steps.count) }
        guard let most else {
            // split to the end or the term; the term; jump back
            let start = steps.count
            steps += [.split(start + 1, start + term.count + 2)] + moved(term, by: start + 1)
            steps.append(.jump(start))
            return try bounded(steps)
        }
        let end = steps.count + (most - least) * (term.count + 1)
        for _ in least..<most {
            steps.append(.split(steps.count + 1, end))
            steps += moved(term, by: steps.count)
        }
        return try bounded(steps)
    }

    private mutating func term() throws(Pattern.Invalid) -> [Pattern.Step] {
        guard let scalar = next() else { return [] }
        switch scalar {
        case "^": return [.assert(.start)]
        case "$": return [.assert(.end)]
        case ".": return [.take(.any)]
        case "(": return try group()
        case "[": return [.take(try scalarClass())]
        case "\\": return [try escape()]
        case "*", "+", "?", "{", "}", "]": throw invalid("\"\(scalar)\" needs a \"\\\" before it")
        default: return [.take(ScalarSet(ranges: [scalar.value...scalar.value]))]
        }
    }

    private mutating func group() throws(Pattern.Invalid) -> [Pattern.Step] {
        if skip("?") {
            if skip("<") {
                guard peek != "=", peek != "!" else {
                    throw invalid("look-behind is not supported")
                }
                try groupName()
            } else if !skip(":") {
                throw invalid("look-ahead is not supported")
            }
        }
        let steps = try alternatives()
        guard skip(")") else { throw invalid("\"(\" without \")\"") }
        return steps
    }

    /// Parses and ignores a group's name, up to its end.
    private mutating func groupName() throws(Pattern.Invalid) {
        let start = at
        while let scalar = next(), scalar != ">" {
            let isSign = scalar == "$" || scalar == "_"
            let properties = scalar.properties
            guard isSign || (at - 1 > start ? properties.isIDContinue : properties.isIDStart) else {
                throw invalid("an invalid group name")
            }
        }
        guard at - 1 > start, scalars[at - 1] == ">" else {
            throw invalid("an invalid group name")
        }
    }

    private mutating func escape() throws(Pattern.Invalid) -> Pattern.Step {
        switch peek {
        case "b":
            at += 1
            return .assert(.boundary)
        case "B":
            at += 1
            return .assert(.noBoundary)
        default: return .take(try escapedSet())
        }
    }

    /// Returns the scalars of an escape, inside or outside of a class.
    private mutating func escapedSet() throws(Pattern.Invalid) -> ScalarSet {
        guard let scalar = next() else { throw invalid("\"\\\" at the end") }
        switch scalar {
        case "d": return .digit
        case "D": return ScalarSet.digit.inverted
        case "w": return .word
        case "W": return ScalarSet.word.inverted
        case "s": return .space
        case "S": return ScalarSet.space.inverted
        case "t": return .of(0x09)
        case "n": return .of(0x0A)
        case "v": return .of(0x0B)
        case "f": return .of(0x0C)
        case "r": return .of(0x0D)
        case "0" where !(peek.map(ScalarSet.digit.contains) ?? false): return .of(0)
        case "x": return .of(try hexadecimal(2))
        case "u":
            guard skip("{") else { return .of(try hexadecimal(4)) }
            let value = try hexadecimal(nil)
            guard skip("}") else { throw invalid("\"\\u{\" without \"}\"") }
            return .of(value)
        case "p", "P", "k", "c": throw invalid("\"\\\(scalar)\" is not supported")
        case _ where ScalarSet.digit.contains(scalar):
            throw invalid("back references are not supported")
        case _ where ScalarSet.word.contains(scalar) && scalar != "_":
            throw invalid("\"\\\(scalar)\" is not supported")
        default: return .of(scalar.value)
        }
    }

    private mutating func scalarClass() throws(Pattern.Invalid) -> ScalarSet {
        let isInverted = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        while let scalar = next() {
            if scalar == "]" { return ScalarSet(ranges: ranges, isInverted: isInverted) }
            let first = try member(scalar)
            guard let low = first.single, peek == "-", at + 1 < scalars.count,
                scalars[at + 1] != "]"
            else {
                ranges += first.positive
                continue
            }
            at += 1
            guard let end = next(), let high = try member(end).single, low <= high else {
                throw invalid("a range that ends before it begins")
            }
            ranges.append(low...high)
        }
        throw invalid("\"[\" without \"]\"")
    }

    private mutating func member(_ scalar: Unicode.Scalar) throws(Pattern.Invalid) -> ScalarSet {
        guard scalar == "\\" else { return .of(scalar.value) }
        if skip("b") { return .of(0x08) }
        if skip("-") { return .of(0x2D) }
        return try escapedSet()
    }

    /// Parses `{2}`, `{2,}` or `{2,5}`.
    private mutating func counts() throws(Pattern.Invalid) -> (Int, Int?)? {
        at += 1
        guard let least = number() else { return nil }
        if skip("}") { return (least, least) }
        guard skip(",") else { return nil }
        if skip("}") { return (least, nil) }
        guard let most = number(), skip("}"), least <= most else { return nil }
        return (least, most)
    }

    // MARK: Tools

    private var peek: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

    private mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        at += 1
        return scalar
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        at += 1
        return true
    }

    private mutating func number() -> Int? {
        let start = at
        while let scalar = peek, ScalarSet.digit.contains(scalar), at - start < 5 { at += 1 }
        return Int(String(String.UnicodeScalarView(scalars[start..<at])))
    }

    private mutating func hexadecimal(_ digits: Int?) throws(Pattern.Invalid) -> UInt32 {
        var value: UInt32 = 0
        var count = 0
        while count < digits ?? 6, let scalar = peek, scalar.isASCII,
            let digit = hexadecimalDigit(UInt8(scalar.value))
        {
            value = value << 4 | UInt32(digit)
            count += 1
            at += 1
        }
        guard count == digits ?? max(count, 1), Unicode.Scalar(value) != nil else {
            throw invalid("an escape of an invalid character")
        }
        return value
    }

    private func moved(_ steps: [Pattern.Step], by count: Int) -> [Pattern.Step] {
        steps.map { step in
            switch step {
            case .split(let one, let other): .split(one + count, other + count)
            case .jump(let target): .jump(target + count)
            default: step
            }
        }
    }

    private func bounded(_ steps: [Pattern.Step]) throws(Pattern.Invalid) -> [Pattern.Step] {
        guard steps.count <= Pattern.maximumCount else { throw tooLarge }
        return steps
    }

    private var tooLarge: Pattern.Invalid {
        Pattern.Invalid(description: "it has more than \(Pattern.maximumCount) states")
    }

    private func invalid(_ reason: String) -> Pattern.Invalid {
        Pattern.Invalid(description: "at character \(at): \(reason)")
    }
}

extension ScalarSet {
    fileprivate static func of(_ value: UInt32) -> Self { Self(ranges: [value...value]) }

    /// The only scalar of the set; nil if it has others.
    fileprivate var single: UInt32? {
        guard !isInverted, ranges.count == 1, ranges[0].count == 1 else { return nil }
        return ranges[0].lowerBound
    }
}
