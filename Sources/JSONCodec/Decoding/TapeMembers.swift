/// The members of an object: the keyed container of a tape.
struct TapeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let tape: Tape
    let object: Int

    init(_ tape: Tape, _ index: Int) throws {
        guard tape.nodes[index].kind == .object else {
            throw tape.mismatch([String: Any].self, at: index, "expected an object")
        }
        self.tape = tape
        object = index
    }

    var codingPath: [any CodingKey] { tape.path(to: object) }

    var allKeys: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(Int(tape.nodes[object].length))
        tape.forEachName(in: object) { name in
            guard let key = Key(stringValue: tape.string(tape.nodes[name])) else { return }
            tape.noteRequest(ofName: name)
            keys.append(key)
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { tape.request(key.stringValue, in: object) != nil }

    /// Returns the index of a member's value.
    @inline(__always)
    func place(_ key: some CodingKey) throws -> Int {
        guard let index = tape.request(key.stringValue, in: object) else {
            throw tape.failure(at: object, then: .name(key.stringValue), "missing") { context in
                var context = context
                // Swift's own convention: the path of the container, without the key.
                context = DecodingError.Context(
                    codingPath: context.codingPath.dropLast(),
                    debugDescription: context.debugDescription,
                    underlyingError: context.underlyingError
                )
                return .keyNotFound(key, context)
            }
        }
        return index
    }

    /// Returns the index of a member's value; nil if it is missing or null.
    @inline(__always)
    func placeIfPresent(_ key: Key) -> Int? {
        guard let index = tape.request(key.stringValue, in: object), tape.nodes[index].kind != .null
        else { return nil }
        return index
    }

    func decodeNil(forKey key: Key) throws -> Bool { tape.isNull(at: try place(key)) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try tape.bool(at: place(key))
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try tape.string(at: place(key))
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try tape.double(at: place(key))
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try tape.float(at: place(key))
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try tape.decode(type, at: place(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.bool(at: place)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.string(at: place)
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.double(at: place)
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.float(at: place)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.decode(type, at: place)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try TapeMembers<Nested>(tape, place(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try TapeElements(tape, place(key))
    }

    func superDecoder() throws -> any Decoder {
        TapeDecoder(tape: tape, index: try place(PathKey.name("super")))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        TapeDecoder(tape: tape, index: try place(key))
    }
}
