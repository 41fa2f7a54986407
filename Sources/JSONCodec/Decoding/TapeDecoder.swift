/// Decodes the value at one index of a tape.
///
/// It has two words, so that passing it as an existential allocates nothing. The path is computed
/// only for errors.
struct TapeDecoder: Decoder {
    let tape: Tape
    let index: Int

    var codingPath: [any CodingKey] { tape.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try TapeMembers<Key>(tape, index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try TapeElements(tape, index)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { tape.isNull(at: index) }

    func decode(_ type: Bool.Type) throws -> Bool { try tape.bool(at: index) }
    func decode(_ type: String.Type) throws -> String { try tape.string(at: index) }
    func decode(_ type: Double.Type) throws -> Double { try tape.double(at: index) }
    func decode(_ type: Float.Type) throws -> Float { try tape.float(at: index) }
    func decode(_ type: Int.Type) throws -> Int { try tape.integer(type, at: index) }
    func decode(_ type: Int8.Type) throws -> Int8 { try tape.integer(type, at: index) }
    func decode(_ type: Int16.Type) throws -> Int16 { try tape.integer(type, at: index) }
    func decode(_ type: Int32.Type) throws -> Int32 { try tape.integer(type, at: index) }
    func decode(_ type: Int64.Type) throws -> Int64 { try tape.integer(type, at: index) }
    func decode(_ type: Int128.Type) throws -> Int128 { try tape.integer(type, at: index) }
    func decode(_ type: UInt.Type) throws -> UInt { try tape.integer(type, at: index) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try tape.integer(type, at: index) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try tape.integer(type, at: index) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try tape.integer(type, at: index) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try tape.integer(type, at: index) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try tape.integer(type, at: index) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try tape.decode(type, at: index) }
}

extension Tape {
    /// Decodes a value of any type.
    ///
    /// Scalars are first: arrays of them call this, and their own `init(from:)` would cost an
    /// existential each.
    func decode<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
        if type == String.self { return same(try string(at: index), as: type) }
        if type == Int.self { return same(try integer(Int.self, at: index), as: type) }
        if type == Double.self { return same(try double(at: index), as: type) }
        if type == JSON.self { return same(json(at: index), as: type) }
        if Self.isFoundation(type) { return try foundationValue(type, at: index) }
        if TypeMetadata.isHashed(type), let value = try hashed(type, at: index) { return value }
        do {
            let value = try T(from: TapeDecoder(tape: self, index: index))
            if TypeMetadata.isEnum(type) { try requireSpelling(of: value, at: index) }
            return value
        } catch let error as DecodingError {
            throw explained(error, of: type, at: index)
        }
    }
}

/// Casts a value to a type that it is known to have.
@inline(__always)
func same<A, B>(_ value: A, as type: B.Type) -> B { unsafeBitCast(value, to: type) }
