/// A dictionary or a set: Swift's own decoding merges elements that are equal in Swift only.
///
/// JSON compares names by code points (RFC 8259 §8.3). Swift's strings are also equal if they are
/// canonically equivalent, and two texts may be one key: `a` and `A` in a UUID.
protocol HashedDecoding {
    /// Decodes a value without merging elements.
    static func read(_ tape: Tape, at index: Int) throws -> Self
}

extension Dictionary: HashedDecoding where Key: Decodable, Value: Decodable {
    static func read(_ tape: Tape, at index: Int) throws -> [Key: Value] {
        let hasStrings = Key.self == String.self
        guard hasStrings || MemberName.isName(Key.self) else {
            return try entries(tape, at: index)
        }
        guard tape.nodes[index].kind == .object else {
            throw tape.mismatch([String: Any].self, at: index, "expected an object")
        }
        var values = Self(minimumCapacity: Int(tape.nodes[index].length))
        try tape.forEachName(in: index) { name in
            tape.noteRequest(ofName: name)
            let text = tape.string(tape.nodes[name])
            let key: Key = try hasStrings ? same(text, as: Key.self) : tape.key(text, at: name)
            let value = try tape.decode(Value.self, at: name + 1)
            guard case .none = values.updateValue(value, forKey: key) else {
                throw tape.corrupted(at: name + 1, "another member's name is the same key")
            }
        }
        return values
    }

    /// Decodes a list of entries, since the keys aren't names.
    private static func entries(_ tape: Tape, at index: Int) throws -> [Key: Value] {
        var elements = try TapeElements(tape, index)
        var values = Self(minimumCapacity: elements.count ?? 0)
        while !elements.isAtEnd {
            let place = elements.currentIndex
            let entry = try elements.decode(DictionaryEntry<Key, Value>.self)
            guard case .none = values.updateValue(entry.value, forKey: entry.key) else {
                throw tape.failure(at: index, then: .index(place), "its key is an earlier entry's")
                {
                    .dataCorrupted($0)
                }
            }
        }
        return values
    }
}

extension Set: HashedDecoding where Element: Decodable {
    static func read(_ tape: Tape, at index: Int) throws -> Set<Element> {
        var elements = try TapeElements(tape, index)
        var values = Self(minimumCapacity: elements.count ?? 0)
        while !elements.isAtEnd {
            let place = elements.currentIndex
            guard values.insert(try elements.decode(Element.self)).inserted else {
                throw tape.failure(at: index, then: .index(place), "equal to an earlier element") {
                    .dataCorrupted($0)
                }
            }
        }
        return values
    }
}

extension Tape {
    /// Decodes a dictionary or a set; nil if it is another type.
    func hashed<T: Decodable>(_ type: T.Type, at index: Int) throws -> T? {
        func read<C: HashedDecoding>(_ collection: C.Type) throws -> T {
            same(try C.read(self, at: index), as: type)
        }
        guard let collection = type as? any HashedDecoding.Type else { return nil }
        return try read(collection)
    }

    /// Decodes a key from a member's name, as from a text in a query.
    fileprivate func key<Key: Decodable>(_ text: String, at name: Int) throws -> Key {
        do {
            return try MemberName.key(text)
        } catch let error as DecodingError {
            let own = error.context.underlyingError as? DecodingMessage
            let message = own?.text ?? error.message(hiding: Key.self)
            throw corrupted(at: name + 1, "the member's name: \(message)")
        }
    }

    /// Rejects an enum's value in another spelling, such as a decomposed accent.
    ///
    /// Swift finds a raw value by canonical equivalence.
    func requireSpelling<T>(of value: T, at index: Int) throws {
        let node = nodes[index]
        guard node.kind == .string || node.kind == .text,
            let raw = (value as? any RawRepresentable)?.rawValue as? String
        else { return }
        let text = string(node)
        guard raw == text, !raw.hasSameBytes(as: text) else { return }
        throw unknown(T.self, at: index)
    }
}
