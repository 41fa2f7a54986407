/// The reason why an action of a behavior was skipped.
public enum SkipReason: Hashable, Sendable {
    /// The catalog has no module with this name.
    case noSuchModule
    /// The module has no function with this name.
    case noSuchFunction
    /// The value doesn't match the parameter; the pointer is the location inside the value.
    case wrongValue(pointer: String, message: String)
    /// The function requires a value, and there is none.
    case valueMissing
    /// The function accepts no value, and there is one.
    case valueUnexpected
    /// The function was called and threw.
    case threw(String)
    /// The task was cancelled.
    case cancelled
    /// The module or action has a `"when"` rule, which nothing has evaluated.
    case ruleNotEvaluated
    /// The module crashed the app in this revision, so it doesn't run on this device.
    case quarantined
}

extension SkipReason: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .noSuchModule: "no such module"
        case .noSuchFunction: "no such function"
        case .wrongValue("", let message): "wrong value: \(message)"
        case .wrongValue(let pointer, let message): "wrong value at \(pointer): \(message)"
        case .valueMissing: "the value is missing"
        case .valueUnexpected: "the function accepts no value"
        case .threw(let message): "it threw: \(message)"
        case .cancelled: "cancelled"
        case .ruleNotEvaluated: "its rule (when) isn't evaluated: use TargetedBehavior"
        case .quarantined: "the module is quarantined after crashes"
        }
    }
}

extension SkipReason: Codable {
    private enum Key: String, CodingKey {
        case code
        case pointer
        case message
    }

    private enum Code: String, Codable, CaseIterable {
        case noSuchModule
        case noSuchFunction
        case wrongValue
        case valueMissing
        case valueUnexpected
        case threw
        case cancelled
        case ruleNotEvaluated
        case quarantined
    }

    /// Decodes an object such as `{"code": "threw", "message": "…"}`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        switch try members.decode(Code.self, forKey: .code) {
        case .noSuchModule: self = .noSuchModule
        case .noSuchFunction: self = .noSuchFunction
        case .wrongValue:
            self = .wrongValue(
                pointer: try members.decode(String.self, forKey: .pointer),
                message: try members.decode(String.self, forKey: .message)
            )
        case .valueMissing: self = .valueMissing
        case .valueUnexpected: self = .valueUnexpected
        case .threw: self = .threw(try members.decode(String.self, forKey: .message))
        case .cancelled: self = .cancelled
        case .ruleNotEvaluated: self = .ruleNotEvaluated
        case .quarantined: self = .quarantined
        }
    }

    /// Encodes an object such as `{"code": "threw", "message": "…"}`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(code, forKey: .code)
        switch self {
        case .wrongValue(let pointer, let message):
            try members.encode(pointer, forKey: .pointer)
            try members.encode(message, forKey: .message)
        case .threw(let message):
            try members.encode(message, forKey: .message)
        case .noSuchModule, .noSuchFunction, .valueMissing, .valueUnexpected, .cancelled,
            .ruleNotEvaluated, .quarantined:
            break
        }
    }

    private var code: Code {
        switch self {
        case .noSuchModule: .noSuchModule
        case .noSuchFunction: .noSuchFunction
        case .wrongValue: .wrongValue
        case .valueMissing: .valueMissing
        case .valueUnexpected: .valueUnexpected
        case .threw: .threw
        case .cancelled: .cancelled
        case .ruleNotEvaluated: .ruleNotEvaluated
        case .quarantined: .quarantined
        }
    }
}
