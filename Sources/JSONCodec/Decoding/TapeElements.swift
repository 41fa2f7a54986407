/// The elements of an array: the unkeyed container of a tape.
///
/// A text is an array of one, so that a list in a query can have one item.
struct TapeElements: UnkeyedDecodingContainer {
    private let tape: Tape
    private let array: Int
    /// The index of the next element's value.
    private var next: Int
    private(set) var currentIndex = 0

    init(_ tape: Tape, _ index: Int) throws {
        self.tape = tape
        array = index
        switch tape.nodes[index].kind {
        case .array, .texts: next = index + 1
        case .text: next = index
        default: throw tape.mismatch([Any].self, at: index, "expected an array")
        }
    }

    var codingPath: [any CodingKey] { tape.path(to: array) }
    var count: Int? { isText ? 1 : Int(tape.nodes[array].length) }
    var isAtEnd: Bool { next >= Int(tape.nodes[array].next) }
    private var isText: Bool { tape.nodes[array].kind == .text }

    /// Decodes the next element and moves past it; on failure it remains the next one.
    @inline(__always)
    private mutating func element<T>(_ type: Any.Type, _ read: (Int) throws -> T) throws -> T {
        guard !isAtEnd else {
            throw tape.failure(at: array, then: .index(currentIndex), "missing") {
                .valueNotFound(type, $0)
            }
        }
        let value = try read(next)
        next = Int(tape.nodes[next].next)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { return try element(Never?.self) { _ in true } }
        guard tape.isNull(at: next) else { return false }
        return try element(Never?.self) { _ in true }
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        let tape = tape
        return try element(type) { try tape.bool(at: $0) }
    }

    mutating func decode(_ type: String.Type) throws -> String {
        let tape = tape
        return try element(type) { try tape.string(at: $0) }
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        let tape = tape
        return try element(type) { try tape.double(at: $0) }
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        let tape = tape
        return try element(type) { try tape.float(at: $0) }
    }

    /// Decodes an integer of up to 64 bits: one witness for ten of the protocol's requirements.
    mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        try integer(type)
    }

    // The protocol implements these two itself: it throws.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    @inline(__always)
    private mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        let tape = tape
        return try element(type) { try tape.integer(type, at: $0) }
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let tape = tape
        return try element(type) { try tape.decode(type, at: $0) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let tape = tape
        return try element([String: Any].self) {
            KeyedDecodingContainer(try TapeMembers<Nested>(tape, $0))
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let tape = tape
        return try element([Any].self) { try TapeElements(tape, $0) }
    }

    mutating func superDecoder() throws -> any Decoder {
        let tape = tape
        return try element((any Decoder).self) { TapeDecoder(tape: tape, index: $0) }
    }
}
