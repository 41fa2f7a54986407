/// The kind of a type, read from its metadata.
///
/// Casting each type to a protocol searches for a conformance, which costs more than decoding a
/// small value. The first two words of the metadata cost two loads. Their layout is Swift's stable
/// ABI (TypeMetadata.rst): the kind, and for a struct its declaration.
enum TypeMetadata {
    private static let structKind: UInt = 0x200
    private static let enumKind: UInt = 0x201
    private static let dictionary = words([Int: Int].self)[1]
    private static let set = words(Set<Int>.self)[1]

    /// Whether the type is an enum other than `Optional`.
    @inline(__always)
    static func isEnum(_ type: Any.Type) -> Bool { words(type)[0] == enumKind }

    /// Whether the type is a `Dictionary` or a `Set`.
    @inline(__always)
    static func isHashed(_ type: Any.Type) -> Bool {
        let words = words(type)
        return words[0] == structKind && (words[1] == dictionary || words[1] == set)
    }

    /// Returns the names of all keys of an enum; nil for a type that isn't an enum without payloads.
    static func names<Key: CodingKey>(of type: Key.Type) -> [String]? {
        cases(of: type)?.map(\.stringValue)
    }

    /// Returns the raw values of an enum's cases, or of another type's `allCases`; nil if it has
    /// none.
    static func rawValues(of type: Any.Type) -> [Any]? {
        func listed<T: CaseIterable & RawRepresentable>(_ type: T.Type) -> [Any] {
            type.allCases.map(\.rawValue)
        }
        func all<T: RawRepresentable>(_ type: T.Type) -> [Any]? {
            cases(of: type)?.map(\.rawValue)
        }
        if let type = type as? any (CaseIterable & RawRepresentable).Type { return listed(type) }
        guard isEnum(type), let type = type as? any RawRepresentable.Type else { return nil }
        return all(type)
    }

    /// Returns all values of an enum; nil for a type that isn't an enum without payloads.
    ///
    /// The counts of its cases are in its declaration (TypeMetadata.rst, "Nominal Type
    /// Descriptor"), and a value is its case's number.
    static func cases<T>(of type: T.Type) -> [T]? {
        guard isEnum(type), let declaration = UnsafeRawPointer(bitPattern: words(type)[1]),
            declaration.load(as: UInt32.self) & 0x1F == 18
        else { return nil }
        let payloads = declaration.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let count = Int(declaration.load(fromByteOffset: 24, as: UInt32.self))
        guard payloads == 0, count <= 256, MemoryLayout<T>.size == (count < 2 ? 0 : 1) else {
            return nil
        }
        return (0..<count).map { number in
            withUnsafeBytes(of: UInt8(truncatingIfNeeded: number)) { $0.load(as: type) }
        }
    }

    @inline(__always)
    private static func words(_ type: Any.Type) -> UnsafePointer<UInt> {
        unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    }
}
