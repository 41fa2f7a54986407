import Locking

/// Operations on outputs of unknown type.
package enum Outputs {
    /// The process-wide encoder, which a server sets.
    private static let encoder = Locked<(@Sendable (any Encodable) throws -> [UInt8])?>(nil)

    /// Sets the process-wide encoder.
    package static func encode(by encode: @escaping @Sendable (any Encodable) throws -> [UInt8]) {
        encoder.withLock { $0 = encode }
    }

    /// The process-wide check whether an input type contains the caller; a server sets it.
    private static let callers = Locked<(@Sendable (Any.Type) -> Bool)?>(nil)

    /// Sets the process-wide check for input types that contain the caller.
    package static func findCallers(by holds: @escaping @Sendable (Any.Type) -> Bool) {
        callers.withLock { $0 = holds }
    }

    /// Returns whether an input type contains the caller.
    static func holdCallers(_ input: Any.Type) -> Bool {
        callers.withLock { $0 }?(input) ?? false
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
        guard let encode = encoder.withLock({ $0 }) else { return nil }
        return try? encode(value)
    }
}
