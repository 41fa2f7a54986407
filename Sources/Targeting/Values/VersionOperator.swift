/// A comparison of versions, with flagd's names.
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

    /// The number of compared version numbers; nil for the whole version.
    var numberCount: Int? {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: nil
        case .sameMajor: 1
        case .sameMinor: 2
        }
    }

    /// Returns whether the operator is true for an order below, at or above zero.
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
