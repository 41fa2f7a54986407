/// Encodes one value into an arena.
///
/// It has two words, so that passing it as an existential allocates nothing.
struct ArenaEncoder: Encoder, SingleValueEncodingContainer {
    let arena: Arena
    let node: Int

    var codingPath: [any CodingKey] { arena.path(to: node) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        arena.open(.object, at: node)
        return KeyedEncodingContainer(ArenaMembers<Key>(arena: arena, object: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        arena.open(.array, at: node)
        return ArenaElements(arena: arena, array: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { arena.setNull(at: node) }
    func encode(_ value: Bool) throws { arena.set(value, at: node) }
    func encode(_ value: String) throws { arena.set(value, at: node) }
    func encode(_ value: Double) throws { try arena.set(value, at: node) }
    func encode(_ value: Float) throws { try arena.set(value, at: node) }
    func encode(_ value: Int) throws { arena.set(value, at: node) }
    func encode(_ value: Int8) throws { arena.set(value, at: node) }
    func encode(_ value: Int16) throws { arena.set(value, at: node) }
    func encode(_ value: Int32) throws { arena.set(value, at: node) }
    func encode(_ value: Int64) throws { arena.set(value, at: node) }
    func encode(_ value: Int128) throws { arena.set(value, at: node) }
    func encode(_ value: UInt) throws { arena.set(value, at: node) }
    func encode(_ value: UInt8) throws { arena.set(value, at: node) }
    func encode(_ value: UInt16) throws { arena.set(value, at: node) }
    func encode(_ value: UInt32) throws { arena.set(value, at: node) }
    func encode(_ value: UInt64) throws { arena.set(value, at: node) }
    func encode(_ value: UInt128) throws { arena.set(value, at: node) }
    func encode<T: Encodable>(_ value: T) throws { try arena.encode(value, at: node) }
}

extension Arena {
    /// Encodes a value of any type; omits it if that fails.
    func encode<T: Encodable>(_ value: T, at node: Int) throws {
        do {
            if T.self == String.self {
                set(same(value, as: String.self), at: node)
            } else if T.self == Int.self {
                set(same(value, as: Int.self), at: node)
            } else if try !setFoundation(value, at: node), try !setDictionary(value, at: node) {
                try value.encode(to: ArenaEncoder(arena: self, node: node))
            }
        } catch {
            drop(node)
            throw error
        }
    }
}

/// The members of an object: the keyed container of an arena.
struct ArenaMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let arena: Arena
    let object: Int

    var codingPath: [any CodingKey] { arena.path(to: object) }

    @inline(__always)
    func add(_ key: some CodingKey) -> Int { arena.add(key.stringValue, to: object) }

    func encodeNil(forKey key: Key) throws { arena.setNull(at: add(key)) }
    func encode(_ value: Bool, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: String, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: Double, forKey key: Key) throws { try arena.encode(value, at: add(key)) }
    func encode(_ value: Float, forKey key: Key) throws { try arena.encode(value, at: add(key)) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try arena.encode(value, at: add(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        ArenaEncoder(arena: arena, node: nested(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ArenaEncoder(arena: arena, node: nested(key)).unkeyedContainer()
    }

    private func nested(_ key: Key) -> Int {
        let node = add(key)
        arena.nodes[node].isNested = true
        return node
    }

    func superEncoder() -> any Encoder {
        ArenaEncoder(arena: arena, node: add(PathKey.name("super")))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        ArenaEncoder(arena: arena, node: add(key))
    }
}

/// The elements of an array: the unkeyed container of an arena.
struct ArenaElements: UnkeyedEncodingContainer {
    let arena: Arena
    let array: Int

    var codingPath: [any CodingKey] { arena.path(to: array) }
    var count: Int { Int(arena.nodes[array].count) }

    func encodeNil() throws { arena.setNull(at: arena.add(to: array)) }
    func encode(_ value: Bool) throws { arena.set(value, at: arena.add(to: array)) }
    func encode(_ value: String) throws { arena.set(value, at: arena.add(to: array)) }
    func encode(_ value: Double) throws { try arena.encode(value, at: arena.add(to: array)) }
    func encode(_ value: Float) throws { try arena.encode(value, at: arena.add(to: array)) }

    /// Encodes an integer of up to 64 bits: one witness for ten of the protocol's requirements.
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
        arena.set(value, at: arena.add(to: array))
    }

    // The protocol implements these two itself: it throws.
    func encode(_ value: Int128) throws { arena.set(value, at: arena.add(to: array)) }
    func encode(_ value: UInt128) throws { arena.set(value, at: arena.add(to: array)) }

    func encode<T: Encodable>(_ value: T) throws {
        try arena.encode(value, at: arena.add(to: array))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        ArenaEncoder(arena: arena, node: arena.add(to: array)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ArenaEncoder(arena: arena, node: arena.add(to: array)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        ArenaEncoder(arena: arena, node: arena.add(to: array))
    }
}
