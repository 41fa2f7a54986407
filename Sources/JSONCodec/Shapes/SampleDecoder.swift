extension ShapeFinder {
    /// Returns a minimal value of a type, which a followed `init(from:)` receives.
    func sample<T: Decodable>(_ type: T.Type) throws -> T {
        if let value = Self.value(type) { return value }
        if type == JSON.self { return same(JSON.null, as: type) }
        do {
            return try T(from: SampleDecoder(book: self, text: ""))
        } catch {
            if let value = (type as? any CaseIterable.Type).flatMap({ firstCase($0) }) as? T {
                return value
            }
            if let described = type as? any SchemaDescribing.Type,
                let example = described.schema["examples"]?[0]
            {
                return try example.decode(type)
            }
            for text in Self.texts.dropFirst() {
                let decoder = SampleDecoder(book: self, text: text)
                if let value = try? T(from: decoder) { return value }
            }
            if type is any RawRepresentable.Type,
                let value = TypeMetadata.cases(of: type)?.first ?? zero(type)
            {
                return value
            }
            throw error
        }
    }
}

private func firstCase<T: CaseIterable>(_ type: T.Type) -> Any? { type.allCases.first }

/// Returns the value of zero bytes of a type that is too small for a reference: an enum's first
/// case.
///
/// It is part of a sample, which is discarded.
private func zero<T>(_ type: T.Type) -> T? {
    guard 1..<MemoryLayout<UnsafeRawPointer>.size ~= MemoryLayout<T>.size else { return nil }
    return withUnsafeTemporaryAllocation(
        byteCount: MemoryLayout<T>.stride,
        alignment: MemoryLayout<T>.alignment
    ) { bytes in
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        return bytes.load(as: T.self)
    }
}

/// Decodes minimal values: no optional value, no element, zeros and one text.
struct SampleDecoder: Decoder, SingleValueDecodingContainer {
    let book: ShapeFinder
    let text: String

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(SampleMembers<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        SampleElements(decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value: Any? =
            switch type {
            case is String.Type: text
            case is Bool.Type: false
            case is Double.Type: 0.0
            case is Float.Type: Float(0)
            case let integer as any FixedWidthInteger.Type: zero(of: integer)
            default: nil
            }
        if let value = value as? T { return value }
        return try book.sample(type)
    }

    // The protocol implements these two itself, without a call of the generic one.
    func decode(_ type: Int128.Type) throws -> Int128 { 0 }
    func decode(_ type: UInt128.Type) throws -> UInt128 { 0 }

    private func zero<T: FixedWidthInteger>(of type: T.Type) -> Any { T.zero }
}

private struct SampleMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: SampleDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) throws -> Bool { true }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder.decode(type)
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { 0 }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { 0 }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { nil }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}

private struct SampleElements: UnkeyedDecodingContainer {
    let decoder: SampleDecoder

    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var currentIndex: Int { 0 }
    var isAtEnd: Bool { true }

    func decodeNil() throws -> Bool { true }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { 0 }
    func decode(_ type: UInt128.Type) throws -> UInt128 { 0 }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
    func superDecoder() throws -> any Decoder { decoder }
}
