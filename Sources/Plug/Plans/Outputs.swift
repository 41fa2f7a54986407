import Locking

/// Operations on outputs of unknown type.
package enum Outputs {
    /// Functions that a server sets.
    ///
    /// They are members of a struct: each reading of a function from a generic box such as `Locked`
    /// wraps the stored one once more, so each call would be slower than the one before.
    private struct Tools {
        var encode: (@Sendable (any Encodable) throws -> [UInt8])?
        var holdsCaller: (@Sendable (Any.Type) -> Bool)?
    }

    private static let tools = Locked(Tools())

    /// Sets the process-wide encoder.
    package static func encode(by encode: @escaping @Sendable (any Encodable) throws -> [UInt8]) {
        tools.withLock { $0.encode = encode }
    }

    /// Sets the process-wide check for input types that contain the caller.
    package static func findCallers(by holds: @escaping @Sendable (Any.Type) -> Bool) {
        tools.withLock { $0.holdsCaller = holds }
    }

    /// Returns whether an input type contains the caller.
    static func holdCallers(_ input: Any.Type) -> Bool {
        tools.withLock { $0 }.holdsCaller?(input) ?? false
    }

    /// Compares two outputs by `==`, or else by their encoding; returns nil if neither is possible.
    static func areSame<Output>(_ one: Output, _ two: Output) -> Bool? {
        if Output.self == Void.self { return true }
        if let one = one as? any Equatable { return isEqual(one, to: two) }
        guard let one = one as? any Encodable, let two = two as? any Encodable,
            let first = encoded(one), let second = encoded(two)
        else { return nil }
        return first == second
    }

    private static func isEqual<Value: Equatable>(_ one: Value, to other: Any) -> Bool {
        one == other as? Value
    }

    static func encoded(_ value: any Encodable) -> [UInt8]? {
        guard let encode = tools.withLock({ $0 }).encode else { return nil }
        return try? encode(value)
    }
}
