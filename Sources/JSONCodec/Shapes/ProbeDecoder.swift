/// Records the requests of a type's `init(from:)`, and returns samples.
struct ProbeDecoder: Decoder {
    let notes: ProbeNotes

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        notes.noteMembers(named: type)
        return KeyedDecodingContainer(ProbeMembers<Key>(notes: notes))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        notes.noteList()
        return ProbeElements(notes: notes)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ProbeValue(notes: notes)
    }
}

private struct ProbeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let notes: ProbeNotes

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { notes.keys() }

    /// A type that calls this can also decode without the member.
    func contains(_ key: Key) -> Bool {
        notes.noteOptional(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        notes.noteNullable(key.stringValue)
        return false
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        notes.note(type, named: key.stringValue)
        return try notes.sample(type, of: key.stringValue)
    }

    // The protocol implements these two itself, without a call of the generic one.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        notes.note(type, named: key.stringValue)
        return 0
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        notes.note(type, named: key.stringValue)
        return 0
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        notes.note(type, named: key.stringValue)
        notes.noteOptional(key.stringValue)
        notes.noteNullable(key.stringValue)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try ProbeDecoder(notes: notes.nestedNotes(key.stringValue)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ProbeDecoder(notes: notes.nestedNotes(key.stringValue)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { ProbeDecoder(notes: notes.nestedNotes("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        ProbeDecoder(notes: notes.nestedNotes(key.stringValue))
    }
}

/// A list of one element.
private struct ProbeElements: UnkeyedDecodingContainer {
    let notes: ProbeNotes

    var codingPath: [any CodingKey] { [] }
    var count: Int? {
        notes.isEndless = true
        return nil
    }
    private(set) var currentIndex = 0
    var isAtEnd: Bool {
        notes.isEndless = true
        return currentIndex > 0
    }

    init(notes: ProbeNotes) { self.notes = notes }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        currentIndex += 1
        notes.noteElement(type)
        return try notes.book.sample(type)
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        currentIndex += 1
        notes.noteElement(type)
        return 0
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        currentIndex += 1
        notes.noteElement(type)
        return 0
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nested().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { nested() }

    private mutating func nested() -> ProbeDecoder {
        currentIndex += 1
        return ProbeDecoder(notes: notes.nestedNotes(nil))
    }
}

private struct ProbeValue: SingleValueDecodingContainer {
    let notes: ProbeNotes

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool {
        notes.isNullable = true
        return false
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        notes.noteSingle(type)
        return try notes.book.sample(type)
    }

    func decode(_ type: Int128.Type) throws -> Int128 {
        notes.noteSingle(type)
        return 0
    }

    func decode(_ type: UInt128.Type) throws -> UInt128 {
        notes.noteSingle(type)
        return 0
    }
}
