/// Limits of rules and contexts, so that no author and no client can make an evaluation long.
enum TargetingLimits {
    /// The maximum nesting depth of a rule's operations and lists, including its segments.
    static let depth = 64
    /// The maximum number of operations, operands and lists in a rule.
    static let ruleSize = 1_000
    /// The maximum of these in a document with its segments.
    static let documentSize = 200_000
    /// The maximum number of segments.
    static let segmentCount = 1_000
    /// The maximum number of problems reported for a document.
    static let problemCount = 100

    /// The maximum number of steps to evaluate a rule.
    ///
    /// A step is an operand, an element or 64 compared bytes.
    ///
    /// Work of more than 40 ns counts as several steps (``Evaluator/text(of:)`` and the like).
    static let ruleSteps = 10_000
    /// The maximum number of steps to evaluate a document's rules, once for each request.
    ///
    /// It limits a request's time on an event loop to about two milliseconds.
    static let documentSteps = 50_000
    /// The maximum number of steps to explain a document's rules, about a second.
    ///
    /// An explanation evaluates parts of rules repeatedly.
    static let explanationSteps = 20_000_000
    /// The steps to show a byte of a value in an explanation, so that it shows about 5 MB.
    static let shownByteSteps = 4
    /// The maximum number of reasons in an explanation, and in that of one rule.
    static let reasonCount = 10_000
    static let ruleReasonCount = 50
    /// The maximum number of buckets, and of problems, that an explanation lists for a rule.
    static let ruleNoteCount = 50
    /// The maximum number of values that an explanation lists for a part of a rule.
    static let reasonPartCount = 20
    /// The longest text that an explanation shows in full, in bytes.
    static let shownSize = 256
    /// The steps to format a number as text.
    static let numberSteps = 16
    /// The steps to convert a list to a text or number, without those of its elements.
    static let listSteps = 4
    /// The steps to pass an element to the rule of `reduce`.
    static let reductionSteps = 3
    /// The largest text that a rule may create, in bytes.
    static let textSize = 1 << 16
    /// The longest list that a rule may create.
    static let listCount = 10_000
    /// The maximum nesting depth of lists that a rule creates.
    static let valueDepth = 64
}

/// A reason to stop a rule's evaluation; the rule is false then.
enum Stop: String, Error {
    case tooManySteps = "takes more than 10,000 steps"
    case documentTooLong = "the document's rules take more than 50,000 steps"
    case explanationTooLong = "explaining all rules takes too many steps"
    case textTooLong = "makes a text of more than 64 KiB"
    case listTooLong = "makes a list of more than 10,000 elements"
    case tooDeep = "makes a value that nests deeper than 64"
}

/// A reason why an operation is null, as in flagd; the rule's evaluation continues.
enum Failure: String {
    case notAVersion = "the first operand is not a semantic version"
    case notATargetVersion = "the third operand is not a semantic version"
    case notAnOperator = "the operator is not one of =, !=, <, <=, >, >=, ^, ~"
    case notATextFirst = "the first operand is not a text"
    case notATextSecond = "the second operand is not a text"
    case notADistribution = "a part is not a list of a value and a weight"
    case notAPartValue = "a part's value is not a text, number, boolean or null"
    case notAWeight = "a weight is not an integer of at most 2147483647"
    case weightsTooLarge = "the weights add up to more than 2147483647"
    case noWeight = "no weight is above 0"
}
