/// How a version is held against another, as flagd has it.
enum VersionOperator: String, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// The same major version.
    case sameMajor = "^"
    /// The same major and minor version.
    case sameMinor = "~"

    /// How many of a version's numbers it looks at; nil where it looks at all of it.
    var numberCount: Int? {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: nil
        case .sameMajor: 1
        case .sameMinor: 2
        }
    }

    /// Whether it holds of two in that order: below zero, zero or above it.
    func holds(_ order: Int) -> Bool {
        switch self {
        case .equal, .sameMajor, .sameMinor: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}
