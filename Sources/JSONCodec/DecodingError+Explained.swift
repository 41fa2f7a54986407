extension Tape {
    /// An error of a type's own `init(from:)` with a message that is fit for the wire.
    ///
    /// Where the error says nothing usable, the type may: an enum names its cases.
    func explained<T>(_ error: DecodingError, of type: T.Type, at index: Int) -> DecodingError {
        guard !(error.context.underlyingError is ToldMessage) else { return error }
        let here: [any CodingKey] = path(to: index)
        let isElsewhere = error.context.codingPath.count > here.count
        var path = isElsewhere ? error.context.codingPath : here
        var message = error.message(hiding: type)
        if case .dataCorrupted = error, !isElsewhere, let better = unknownValue(type, at: index) {
            message = better
        }
        if case .keyNotFound(let key, _) = error { path.append(PathKey.name(key.stringValue)) }
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: path,
                debugDescription: message,
                underlyingError: ToldMessage(text: message)
            )
        )
    }

    /// What an enum says to a value that is none of its cases.
    private func unknownValue<T>(_ type: T.Type, at index: Int) -> String? {
        guard type is any RawRepresentable.Type else { return nil }
        let node = nodes[index]
        let value: String
        switch node.kind {
        case .string, .text: value = "\"\(string(node).prefix(40))\""
        case .number: value = String(decoding: span(node).prefix(40), as: UTF8.self)
        default: return nil
        }
        guard let cases = type as? any (CaseIterable & RawRepresentable).Type else {
            return "unknown value \(value)"
        }
        return "unknown value \(value): expected one of \(rawValues(cases))"
    }
}

/// The raw values of an enum, the first twenty.
private func rawValues<T: CaseIterable & RawRepresentable>(_ type: T.Type) -> String {
    let values = type.allCases.prefix(20).map { "\($0.rawValue)" }.joined(separator: ", ")
    return type.allCases.count > 20 ? values + ", …" : values
}

/// The message of an error that this module made.
///
/// The pointer is made of the error's path when the error is told: most errors never are, where a type
/// tries one form after the other.
struct ToldMessage: Error {
    let text: String
}

extension DecodingError {
    var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context
        @unknown default:
            Context(codingPath: [], debugDescription: "")
        }
    }

    /// The error in the words of this module.
    var translated: JSONTypeError {
        var path = context.codingPath
        if case .keyNotFound(let key, _) = self { path.append(PathKey.name(key.stringValue)) }
        let told = context.underlyingError as? ToldMessage
        return JSONTypeError(path: path, message: told?.text ?? message(hiding: Never.self))
    }

    /// What went wrong, without the name of a type.
    func message(hiding type: Any.Type) -> String {
        switch self {
        case .typeMismatch(let wanted, _): expectation(wanted)
        case .valueNotFound, .keyNotFound: "missing"
        case .dataCorrupted(let context):
            namesNoType(context.debugDescription, type)
                ? context.debugDescription : "not a valid value"
        @unknown default: "not a valid value"
        }
    }
}

/// What a type is called in JSON.
private func expectation(_ type: Any.Type) -> String {
    switch type {
    case is String.Type: "expected a string"
    case is Bool.Type: "expected true or false"
    case is any FixedWidthInteger.Type: "expected an integer"
    case is any BinaryFloatingPoint.Type: "expected a number"
    case is [String: Any].Type: "expected an object"
    case is [Any].Type: "expected an array"
    default: "not a valid value"
    }
}

/// Whether a message may be shown: it has words, and none of them looks like a type's name.
///
/// Swift's own messages name types ("Cannot initialize Fruit from invalid String value x"). A
/// capital is taken for a type's but at the start of a sentence and in abbreviations (URL).
func namesNoType(_ message: String, _ type: Any.Type) -> Bool {
    let words = message.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    guard !words.isEmpty else { return false }
    let own = "\(type)".split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return words.allSatisfy { word in
        if own.contains(word) || standardTypes.contains(String(word)) { return false }
        guard word.first?.isUppercase == true, word.contains(where: \.isLowercase) else {
            return true
        }
        let hasHump = word.dropFirst().contains(where: \.isUppercase)
        let before = message[..<word.startIndex].last { $0 != " " }
        return !hasHump && (before == nil || before == "." || before == "!" || before == "?")
    }
}

private let standardTypes: Set<String> = [
    "Any", "Array", "Bool", "Character", "Codable", "Data", "Date", "Decimal", "Decodable",
    "Dictionary", "Double", "Encodable", "Float", "Int", "Optional", "Set", "String", "Substring",
]
