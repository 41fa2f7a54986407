/// What keeps rules and contexts small, so that no author and no client can make an evaluation long.
enum Bounds {
    /// How deep the operations and lists of a rule may nest, its segments' included.
    static let depth = 64
    /// The most operations, operands and lists in a rule.
    static let ruleSize = 1_000
    /// The most of them in a document with its segments.
    static let documentSize = 200_000
    /// The most segments.
    static let segmentCount = 1_000
    /// The most problems that are told of a document.
    static let problemCount = 100

    /// The most steps that evaluating a rule takes: an operand, an element or 64 compared bytes.
    ///
    /// What takes longer than 40 ns is several of them (``Evaluator/text(of:)`` and the like).
    static let ruleSteps = 10_000
    /// The most steps that evaluating a document's rules takes, which is once for each request: no
    /// request may hold an event loop for longer than about two milliseconds.
    static let documentSteps = 50_000
    /// The most steps that explaining a document's rules takes, of which it evaluates parts again and
    /// again: about a second.
    static let explanationSteps = 20_000_000
    /// The longest text that an explanation shows whole, in bytes.
    static let shownSize = 256
    /// The steps of making a number's text.
    static let numberSteps = 16
    /// The steps of making a text or a number of a list, beside those of what it holds.
    static let listSteps = 4
    /// The steps of what `reduce` hands to its rule for an element.
    static let reductionSteps = 3
    /// The largest text that a rule makes, in bytes.
    static let textSize = 1 << 16
    /// The longest list that a rule makes.
    static let listCount = 10_000
    /// How deep the lists that a rule makes may nest.
    static let valueDepth = 64
}

/// What ends the evaluation of a rule, which is false then.
enum Stop: String, Error {
    case tooManySteps = "takes more than 10,000 steps"
    case documentTooLong = "the document's rules take more than 50,000 steps"
    case explanationTooLong = "the rules take too long to be explained whole"
    case textTooLong = "makes a text of more than 64 KiB"
    case listTooLong = "makes a list of more than 10,000 elements"
    case tooDeep = "makes a value that nests deeper than 64"
}

/// Why an operation's value is null, as flagd has it; the rule goes on with that.
enum Failure: String {
    case notAVersion = "the first operand is no semantic version"
    case notATargetVersion = "the third operand is no semantic version"
    case notAnOperator = "the operator is not one of =, !=, <, <=, >, >=, ^, ~"
    case notATextFirst = "the first operand is not a text"
    case notATextSecond = "the second operand is not a text"
    case notADistribution = "a part is not a list of a value and a weight"
    case notAPartValue = "a part's value is not a text, number, boolean or null"
    case notAWeight = "a weight is not an integer of at most 2147483647"
    case weightsTooLarge = "the weights add up to more than 2147483647"
    case noWeight = "no weight is above 0"
}
