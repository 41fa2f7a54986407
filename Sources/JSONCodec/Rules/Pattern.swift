/// An ECMA-262 regular expression that is matched in linear time.
///
/// It is a nondeterministic automaton whose states all advance together (Thompson, "Regular
/// Expression Search Algorithm", 1968). A match takes at most states times scalars steps.
/// Unsupported expressions are rejected when the pattern is created.
package struct Pattern: Sendable, Hashable {
    /// The operation of one state.
    enum Step: Sendable, Hashable {
        /// Consumes a scalar of a set.
        case take(ScalarSet)
        /// Continues at both states.
        case split(Int, Int)
        case jump(Int)
        /// Continues if the assertion is true.
        case assert(Assertion)
        case match
    }

    enum Assertion: Sendable, Hashable { case start, end, boundary, noBoundary }

    /// The expression.
    package let text: String
    let steps: [Step]

    /// The maximum number of states; repeated terms count repeatedly.
    static let maximumCount = 1_000

    /// Compiles an expression to an automaton.
    ///
    /// - Throws: ``Invalid``, which describes the error.
    package init(_ text: String) throws(Invalid) {
        var parser = PatternParser(text)
        self.text = text
        steps = try parser.steps()
    }

    package static func == (left: Pattern, right: Pattern) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The error of an invalid or unsupported expression.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    /// Whether the text contains a match.
    package func matches(_ text: String) -> Bool {
        steps.count <= SmallStateSet.maximumCount
            ? matches(text, SmallStateSet(steps.count)) : matches(text, LargeStateSet(steps.count))
    }

    private func matches<States: StateSet>(_ text: String, _ none: States) -> Bool {
        var now = none
        var next = none
        var before: Unicode.Scalar?
        var scalars = text.unicodeScalars.makeIterator()
        var scalar = scalars.next()
        while true {
            // A match may begin at each position.
            if add(0, to: &now, before, scalar) { return true }
            guard let taken = scalar else { return false }
            scalar = scalars.next()
            while let state = now.takeState() {
                if case .take(let set) = steps[state], set.contains(taken),
                    add(state + 1, to: &next, taken, scalar)
                {
                    return true
                }
            }
            before = taken
            swap(&now, &next)
        }
    }

    /// Adds a state and all states reachable without a scalar; returns true if one is the match.
    private func add<States: StateSet>(
        _ first: Int,
        to set: inout States,
        _ before: Unicode.Scalar?,
        _ after: Unicode.Scalar?
    ) -> Bool {
        set.insert(first)
        while let state = set.takePending() {
            switch steps[state] {
            case .take: set.keep(state)
            case .split(let one, let other):
                set.insert(other)
                set.insert(one)
            case .jump(let target): set.insert(target)
            case .assert(let assertion):
                if Self.holds(assertion, before, after) { set.insert(state + 1) }
            case .match: return true
            }
        }
        return false
    }

    private static func holds(
        _ assertion: Assertion,
        _ before: Unicode.Scalar?,
        _ after: Unicode.Scalar?
    ) -> Bool {
        func isWord(_ scalar: Unicode.Scalar?) -> Bool {
            scalar.map(ScalarSet.word.contains) ?? false
        }
        return switch assertion {
        case .start: before == nil
        case .end: after == nil
        case .boundary: isWord(before) != isWord(after)
        case .noBoundary: isWord(before) == isWord(after)
        }
    }
}

/// A set of automaton states: pending ones, and visited ones that consume a scalar.
private protocol StateSet {
    init(_ count: Int)
    /// Adds a pending state, unless it was reached before.
    mutating func insert(_ state: Int)
    /// Removes and returns a pending state.
    mutating func takePending() -> Int?
    /// Stores a visited state.
    mutating func keep(_ state: Int)
    /// Removes and returns a stored state; after the last it resets the set.
    mutating func takeState() -> Int?
}

/// The states of small expressions as the bits of words, without allocations.
private struct SmallStateSet: StateSet {
    private var pending: UInt64 = 0
    private var reached: UInt64 = 0
    private var kept: UInt64 = 0

    static let maximumCount = UInt64.bitWidth

    init(_: Int) {}

    mutating func insert(_ state: Int) {
        let bit: UInt64 = 1 << state
        pending |= bit & ~reached
        reached |= bit
    }

    mutating func takePending() -> Int? { Self.take(&pending) }

    mutating func keep(_ state: Int) { kept |= UInt64(1) << state }

    mutating func takeState() -> Int? {
        let state = Self.take(&kept)
        if state == nil { self = Self(0) }
        return state
    }

    private static func take(_ bits: inout UInt64) -> Int? {
        guard bits != 0 else { return nil }
        defer { bits &= bits - 1 }
        return bits.trailingZeroBitCount
    }
}

private struct LargeStateSet: StateSet {
    private var pending: [Int] = []
    private var kept: [Int] = []
    private var reached: [Bool]

    init(_ count: Int) { reached = [Bool](repeating: false, count: count) }

    mutating func insert(_ state: Int) {
        guard !reached[state] else { return }
        reached[state] = true
        pending.append(state)
    }

    mutating func takePending() -> Int? { pending.popLast() }

    mutating func keep(_ state: Int) { kept.append(state) }

    mutating func takeState() -> Int? {
        let state = kept.popLast()
        if state == nil { for index in reached.indices { reached[index] = false } }
        return state
    }
}

/// A set of Unicode scalars: ranges, or all outside of them.
struct ScalarSet: Sendable, Hashable {
    var ranges: [ClosedRange<UInt32>]
    var isInverted = false

    static let digit = Self(ranges: [0x30...0x39])
    static let word = Self(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// ECMA-262's WhiteSpace and LineTerminator.
    static let space = Self(ranges: [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A,
        0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    /// The scalars of `.`: all except line terminators.
    static let any = Self(
        ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029],
        isInverted: true
    )

    var inverted: Self { Self(ranges: ranges, isInverted: !isInverted) }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } != isInverted
    }

    /// The ranges of the scalars in the set.
    var positive: [ClosedRange<UInt32>] {
        guard isInverted else { return ranges }
        var others: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { others.append(next...range.lowerBound - 1) }
            next = max(next, range.upperBound + 1)
        }
        if next <= 0x10FFFF { others.append(next...0x10FFFF) }
        return others
    }
}
