import Locking

/// The names of an object's members as the keys of a dictionary.
///
/// A key that is a string, a number or a Boolean in JSON is a name. Swift's own coding does so for
/// few types. Other keys are in a ``DictionaryEntry``.
enum MemberName {
    private static let known = Locked<[ObjectIdentifier: Bool]>([:])

    /// Whether keys of the type are names.
    static func isName<Key: Decodable>(_ type: Key.Type) -> Bool {
        if type == String.self || Tape.isFoundation(type) { return true }
        let id = ObjectIdentifier(type)
        if let isName = known.withLock({ $0[id] }) { return isName }
        let probe = KeyProbe<Key>()
        _ = try? Key(from: probe)
        let isName = probe.isScalar ?? false
        known.withLock { $0[id] = isName }
        return isName
    }

    /// Decodes a key from a name.
    static func key<Key: Decodable>(_ name: String) throws -> Key {
        var name = name
        return try name.withUTF8 { bytes in
            var tape = Tape(UnsafeRawBufferPointer(bytes))
            defer { Tape.end(&tape) }
            _ = tape.append(Node(.text, start: 0, length: bytes.count, next: 1))
            return try tape.decode(Key.self, at: 0)
        }
    }
}

/// Follows a key's `init(from:)` until its first request, which decides.
private final class KeyProbe<Key: Decodable>: Decoder, SingleValueDecodingContainer {
    /// Whether the first request is for a scalar; nil before it.
    private(set) var isScalar: Bool?

    private struct Decided: Error {}

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Name: CodingKey>(
        keyedBy type: Name.Type
    ) throws -> KeyedDecodingContainer<Name> {
        throw decide(false)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw decide(false) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool {
        _ = decide(false)
        return false
    }

    /// A type that decodes itself, such as `Int`, is a scalar.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        throw decide(type == Key.self || MemberName.isName(type))
    }

    // The protocol implements these two itself, without a call of the generic one.
    func decode(_ type: Int128.Type) throws -> Int128 { throw decide(true) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { throw decide(true) }

    private func decide(_ isScalar: Bool) -> Decided {
        self.isScalar = self.isScalar ?? isScalar
        return Decided()
    }
}
