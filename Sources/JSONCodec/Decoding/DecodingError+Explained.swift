extension Tape {
    /// Returns an error of a type's own `init(from:)` with a message that clients may see.
    ///
    /// If the error has no usable message, the type may provide one: an enum names its cases.
    func explained<T>(_ error: DecodingError, of type: T.Type, at index: Int) -> DecodingError {
        guard !(error.context.underlyingError is DecodingMessage) else { return error }
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
                underlyingError: DecodingMessage(text: message)
            )
        )
    }

    /// Returns the error of an enum's unknown value.
    func unknown<T>(_ type: T.Type, at index: Int) -> DecodingError {
        corrupted(at: index, unknownValue(type, at: index) ?? "unknown value")
    }

    /// Returns an enum's message for an unknown value.
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

/// Returns the raw values of an enum, at most twenty.
private func rawValues<T: CaseIterable & RawRepresentable>(_ type: T.Type) -> String {
    let values = type.allCases.prefix(20).map { "\($0.rawValue)" }.joined(separator: ", ")
    return type.allCases.count > 20 ? values + ", …" : values
}

/// The message of an error from this module.
///
/// The pointer is built only when the error is reported. Most errors never are, since a type may
/// try several forms.
struct DecodingMessage: Error {
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

    /// The error as this module reports it.
    var translated: JSONTypeError {
        var path = context.codingPath
        if case .keyNotFound(let key, _) = self { path.append(PathKey.name(key.stringValue)) }
        let own = context.underlyingError as? DecodingMessage
        return JSONTypeError(path: path, message: own?.text ?? message(hiding: Never.self))
    }

    /// Returns a message without type names.
    func message(hiding type: Any.Type) -> String {
        switch self {
        case .typeMismatch(let wanted, _): expectedForm(of: wanted)
        case .valueNotFound, .keyNotFound: "missing"
        case .dataCorrupted(let context):
            namesNoType(context.debugDescription, type)
                ? context.debugDescription : "not a valid value"
        @unknown default: "not a valid value"
        }
    }
}

/// Returns the expectation for a type, in JSON's terms.
private func expectedForm(of type: Any.Type) -> String {
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

/// Whether a message may be shown to clients: it has words, and none looks like a type's name.
///
/// Swift's own messages contain type names ("Cannot initialize Fruit from invalid String value x").
/// Capitalised words count as type names, except at the start of a sentence. Abbreviations (URL)
/// are allowed.
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
