public import JSONCodec

/// A member that a view reads: its name in JSON, its type, and its default.
public struct ViewKey<Value: ViewMember>: Sendable {
    /// The name in JSON.
    public let name: String
    /// The value of a missing member or null; nil if the member is required or optional.
    let fallback: Value?

    /// Creates the key of a member, which is required unless its type is optional.
    public init(_ name: String) {
        self.name = name
        fallback = nil
    }

    /// Creates the key of a member with a default for a missing value and for null.
    public init(_ name: String, default fallback: Value) {
        self.name = name
        self.fallback = fallback
    }
}

/// A view's key of any type.
public protocol AnyViewKey: Sendable {
    /// Returns the problems of the member in an object.
    func problems(in object: ViewContent) -> [JSONTypeError]
}

extension ViewKey: AnyViewKey {
    /// Returns the problems of the member in an object; none if it has the key's type.
    public func problems(in object: ViewContent) -> [JSONTypeError] {
        let member = object[name]
        if fallback != nil, member == nil || member?.kind == .null { return [] }
        let problems = Value.problems(of: member)
        return problems.isEmpty ? [] : problems.within(JSONPointer.escaped(name))
    }

    /// Returns the member's value, its default, or its type's replacement.
    func value(in object: ViewContent) -> Value {
        let member = object[name]
        if let fallback, member == nil || member?.kind == .null { return fallback }
        return Value.read(member) ?? fallback ?? Value.replacement
    }
}
