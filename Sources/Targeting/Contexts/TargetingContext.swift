public import JSONCodec

/// The subject of rules: a targeting key, such as a user's id, and properties.
///
/// Rules read it by dotted paths: `{"var": "user.plan"}`, `{"var": "targetingKey"}`.
public struct TargetingContext: Sendable {
    /// The maximum number of values in the properties, including nested ones.
    public static let maximumCount = 256
    /// The maximum nesting depth of properties.
    public static let maximumDepth = 8
    /// The maximum size of all names and texts together: 16 KiB.
    public static let maximumSize = 16 << 10

    /// The key that distinguishes users; nil for an unknown user.
    public let targetingKey: String?
    /// The time in seconds since 1970, `$flagd.timestamp` in rules; nil for no time.
    public var timestamp: Int64?
    /// All members, including the targeting key.
    let root: Value

    /// The context without any properties.
    public static let empty = TargetingContext(root: .members(Value.Members([])))

    /// Creates a context without checks; for tests of rules, `root` may be any value.
    init(root: Value, targetingKey: String? = nil) {
        self.root = root
        self.targetingKey = targetingKey
    }

    /// Creates a context from its properties.
    ///
    /// - Throws: ``TargetingError`` if the properties exceed a limit or their `targetingKey` isn't
    ///   a text.
    public init(
        targetingKey: String? = nil,
        properties: JSON.Object = [:],
        timestamp: Int64? = nil
    ) throws(TargetingError) {
        var properties = properties
        if let targetingKey { properties["targetingKey"] = .string(targetingKey) }
        var check = ContextCheck()
        check.check(.object(properties), at: "", depth: 0)
        switch properties["targetingKey"] {
        case .string(let key): self.targetingKey = key
        case .null, nil: self.targetingKey = nil
        default:
            check.reject("/targetingKey", "expected a text")
            self.targetingKey = nil
        }
        guard check.problems.isEmpty, let root = Value(.object(properties)) else {
            throw TargetingError(problems: check.problems)
        }
        self.timestamp = timestamp
        self.root = root
    }

    /// Parses a context: a JSON object of properties, including `targetingKey`.
    ///
    /// - Throws: ``TargetingError`` if it isn't an object, and as
    ///   ``init(targetingKey:properties:timestamp:)`` does.
    public init(_ json: JSON, timestamp: Int64? = nil) throws(TargetingError) {
        guard case .object(let properties) = json else {
            throw TargetingError(problems: [
                JSONTypeError(pointer: "", message: "expected an object")
            ])
        }
        try self.init(properties: properties, timestamp: timestamp)
    }
}

/// Checks the limits of a context from the root down; stops at the first that is exceeded.
private struct ContextCheck {
    var problems: [JSONTypeError] = []
    private var count = 0
    private var size = 0

    mutating func reject(_ pointer: String, _ message: String) {
        guard problems.count < TargetingLimits.problemCount else { return }
        problems.append(JSONTypeError(pointer: pointer, message: message))
    }

    mutating func check(_ json: JSON, at pointer: String, depth: Int) {
        guard count <= TargetingContext.maximumCount, size <= TargetingContext.maximumSize else {
            return
        }
        switch json {
        case .null, .bool: break
        case .number(let number):
            if number.double == nil { reject(pointer, "out of range") }
        case .string(let text): size += text.utf8.count
        case .array(let elements):
            guard enter(depth, pointer) else { return }
            for (place, element) in elements.enumerated() {
                guard take(0, pointer) else { return }
                check(element, at: "\(pointer)/\(place)", depth: depth + 1)
            }
        case .object(let members):
            guard enter(depth, pointer) else { return }
            for (name, member) in members {
                guard take(name.utf8.count, pointer) else { return }
                check(member, at: pointer + "/" + JSONPointer.escaped(name), depth: depth + 1)
            }
        }
        if size > TargetingContext.maximumSize, problems.isEmpty {
            reject(pointer, "more than 16 KiB of names and texts")
        }
    }

    private mutating func enter(_ depth: Int, _ pointer: String) -> Bool {
        guard depth >= TargetingContext.maximumDepth else { return true }
        reject(pointer, "nests deeper than \(TargetingContext.maximumDepth)")
        return false
    }

    private mutating func take(_ bytes: Int, _ pointer: String) -> Bool {
        size += bytes
        count += 1
        guard count > TargetingContext.maximumCount else { return true }
        if problems.isEmpty {
            reject(pointer, "more than \(TargetingContext.maximumCount) values")
        }
        return false
    }
}
