/// What a node of a rule does.
enum Operation: String, Sendable {
    // What has no name in a rule.
    case constant = ""
    case list = "[]"

    // JSONLogic's.
    case variable = "var"
    case missing
    case missingSome = "missing_some"
    case choose = "if"
    case chooseShort = "?:"
    case equal = "=="
    case identical = "==="
    case notEqual = "!="
    case notIdentical = "!=="
    case not = "!"
    case truth = "!!"
    case or
    case and
    case greater = ">"
    case greaterOrEqual = ">="
    case less = "<"
    case lessOrEqual = "<="
    case greatest = "max"
    case least = "min"
    case sum = "+"
    case difference = "-"
    case product = "*"
    case quotient = "/"
    case remainder = "%"
    case map
    case filter
    case reduce
    case all
    case none
    case some
    case merge
    case contained = "in"
    case concatenation = "cat"
    case substring = "substr"

    // flagd's.
    case version = "sem_ver"
    case fractional
    case startsWith = "starts_with"
    case endsWith = "ends_with"

    // Plugboard's.
    case segment
    case rollout

    /// The operation of that name, nil where there is none.
    init?(named name: String) {
        guard let operation = Operation(rawValue: name), operation.operandCount != nil,
            // A `String` equals each canonically equivalent one.
            name.utf8.elementsEqual(operation.rawValue.utf8)
        else { return nil }
        self = operation
    }

    /// How many operands it takes, nil for what can't be called.
    var operandCount: ClosedRange<Int>? {
        switch self {
        case .constant, .list: nil
        case .variable: 0...2
        case .missing, .merge, .choose, .chooseShort: 0...Int.max
        case .not, .truth: 0...1
        case .segment: 1...1
        case .rollout, .difference: 1...2
        case .or, .and, .greatest, .least, .sum, .product, .concatenation, .fractional: 1...Int.max
        case .less, .lessOrEqual, .substring, .reduce: 2...3
        case .missingSome, .equal, .identical, .notEqual, .notIdentical, .greater,
            .greaterOrEqual, .quotient, .remainder, .map, .filter, .all, .none, .some,
            .contained, .startsWith, .endsWith:
            2...2
        case .version: 3...3
        }
    }

    /// Whether the second operand and those behind it are evaluated with another context: an
    /// element.
    var hasScope: Bool {
        switch self {
        case .map, .filter, .reduce, .all, .none, .some: true
        default: false
        }
    }

    /// Whether the operands are numbers.
    var isArithmetic: Bool {
        switch self {
        case .greatest, .least, .sum, .difference, .product, .quotient, .remainder: true
        default: false
        }
    }
}
