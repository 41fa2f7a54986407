import Locking

/// What can be said of outputs whose type is not known.
package enum Outputs {
    /// Encodes a value, where somebody lent the process an encoder: a server does.
    private static let encoder = Locked<(@Sendable (any Encodable) throws -> [UInt8])?>(nil)

    /// Lends the process an encoder.
    package static func encode(by encode: @escaping @Sendable (any Encodable) throws -> [UInt8]) {
        encoder.withLock { $0 = encode }
    }

    /// Says whether a type of inputs holds who calls, where somebody lent the process an eye for it.
    private static let callers = Locked<(@Sendable (Any.Type) -> Bool)?>(nil)

    /// Lends the process an eye for inputs that hold who calls.
    package static func findCallers(by holds: @escaping @Sendable (Any.Type) -> Bool) {
        callers.withLock { $0 = holds }
    }

    /// Whether inputs of a type hold who calls.
    static func holdCallers(_ input: Any.Type) -> Bool {
        callers.withLock { $0 }?(input) ?? false
    }

    /// Whether two outputs are the same, by their own measure or by their encoding; nil where
    /// neither tells.
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
