/// The operation of a rule's node.
enum Operation: String, Sendable {
    // Nodes without a name in rules.
    case constant = ""
    case list = "[]"

    // JSONLogic's operations.
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
    case maximum = "max"
    case minimum = "min"
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

    // flagd's operations.
    case version = "sem_ver"
    case fractional
    case startsWith = "starts_with"
    case endsWith = "ends_with"

    // Plugboard's operations.
    case segment
    case rollout

    /// Returns the operation with this name; nil if there is none.
    init?(named name: String) {
        guard let operation = Operation(rawValue: name), operation.operandCount != nil,
            // `String` equality includes canonical equivalents, so the bytes are compared too.
            name.utf8.elementsEqual(operation.rawValue.utf8)
        else { return nil }
        self = operation
    }

    /// The accepted numbers of operands; nil for nodes that a rule can't name.
    var operandCount: ClosedRange<Int>? {
        switch self {
        case .constant, .list: nil
        case .variable: 0...2
        case .missing, .merge, .choose, .chooseShort: 0...Int.max
        case .not, .truth: 0...1
        case .segment: 1...1
        case .rollout, .difference: 1...2
        case .or, .and, .maximum, .minimum, .sum, .product, .concatenation, .fractional: 1...Int.max
        case .less, .lessOrEqual, .substring, .reduce: 2...3
        case .missingSome, .equal, .identical, .notEqual, .notIdentical, .greater,
            .greaterOrEqual, .quotient, .remainder, .map, .filter, .all, .none, .some,
            .contained, .startsWith, .endsWith:
            2...2
        case .version: 3...3
        }
    }

    /// Whether the operands after the first are evaluated with an element as their context.
    var hasScope: Bool {
        switch self {
        case .map, .filter, .reduce, .all, .none, .some: true
        default: false
        }
    }

    /// Whether the operands are numbers.
    var isArithmetic: Bool {
        switch self {
        case .maximum, .minimum, .sum, .difference, .product, .quotient, .remainder: true
        default: false
        }
    }
}
