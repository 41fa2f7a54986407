/// The fields of a response, in sending order.
///
/// They are stored as HTTP/1.1 lines, so that writing them is one copy. An index has the place of
/// each name and value, so that nothing is parsed again. Lines and index share one array: copying a
/// response retains one reference.
package struct ResponseFields: Sendable, Equatable {
    /// The lines, each with its CR LF, then the index: the lengths of each line's name and of the
    /// line.
    @usableFromInline var storage: [UInt8] = []
    /// The size of the lines in bytes.
    @usableFromInline var lineBytes = 0

    private static let entrySize = 8

    package init() {}

    /// Creates fields from names and values.
    ///
    /// Control characters are removed from values, since they could split the response.
    package init(_ fields: [(name: String, value: String)]) {
        var writer = Writer(self)
        for (name, value) in fields {
            writer.append(name.utf8, value.utf8.lazy.filter(ByteClass.isFieldValue))
        }
        self = writer.fields
    }

    /// Creates fields from stored lines, each with its CR LF.
    package init(lines: [UInt8]) {
        var writer = Writer(self)
        var rest = lines[...]
        while let end = rest.firstIndex(of: 0x0D), let colon = rest[..<end].firstIndex(of: 0x3A) {
            writer.append(rest[..<colon], rest[(colon + 1)..<end].drop { $0 == 0x20 })
            rest = rest[(end + 1)...].dropFirst()
        }
        self = writer.fields
    }

    /// Whether both share one array, and so are equal.
    package func isIdentical(to other: ResponseFields) -> Bool {
        guard lineBytes == other.lineBytes else { return false }
        let place = storage.withUnsafeBufferPointer { $0.baseAddress }
        return place == other.storage.withUnsafeBufferPointer { $0.baseAddress }
    }

    package var isEmpty: Bool { lineBytes == 0 }

    /// The size of the lines in bytes.
    package var byteCount: Int { lineBytes }

    /// A copy of the lines, for storage.
    package var lines: [UInt8] { Array(storage[..<lineBytes]) }

    /// Calls `body` with the lines, each with its CR LF.
    package func withLines<Result>(_ body: (ByteSpan) -> Result) -> Result {
        storage.withUnsafeBufferPointer { body(ByteSpan(rebasing: $0[..<lineBytes])) }
    }

    /// Calls `body` with the name and value of each field.
    package func forEach(_ body: (_ name: ByteSpan, _ value: ByteSpan) -> Void) {
        storage.withUnsafeBufferPointer { bytes in
            forEachPlace { name, value in
                body(
                    bytes.slice(name.lowerBound, name.upperBound),
                    bytes.slice(value.lowerBound, value.upperBound)
                )
            }
        }
    }

    /// Calls `body` with the ranges of each field's name and value within the lines.
    package func forEachPlace(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
        storage.withUnsafeBufferPointer { bytes in
            var start = 0
            var entry = lineBytes
            while entry < bytes.count {
                let (nameLength, length) = Self.entry(bytes, at: entry)
                let nameEnd = start + nameLength
                body(start..<nameEnd, (nameEnd + 2)..<(start + length - 2))
                start += length
                entry += Self.entrySize
            }
        }
    }

    /// Whether a field with that name, given in lower case, has a value that `matches`.
    package func contains(
        _ name: StaticString,
        where matches: (ByteSpan) -> Bool = { _ in true }
    )
        -> Bool
    {
        var isFound = false
        forEach { if $0.equals(lowercase: name), matches($1) { isFound = true } }
        return isFound
    }

    /// The fields without those of that name, given in lower case.
    package func without(_ name: StaticString) -> ResponseFields {
        var writer = Writer(ResponseFields())
        forEach { if !$0.equals(lowercase: name) { writer.append($0, $1) } }
        return writer.fields
    }

    package static func += (fields: inout ResponseFields, others: ResponseFields) {
        guard !others.isEmpty else { return }
        var storage: [UInt8] = []
        storage.reserveCapacity(fields.storage.count + others.storage.count)
        storage += fields.storage[..<fields.lineBytes]
        storage += others.storage[..<others.lineBytes]
        storage += fields.storage[fields.lineBytes...]
        storage += others.storage[others.lineBytes...]
        fields.storage = storage
        fields.lineBytes += others.lineBytes
    }

    package static func + (fields: ResponseFields, others: ResponseFields) -> ResponseFields {
        var sum = fields
        sum += others
        return sum
    }

    private static func entry(_ bytes: ByteSpan, at place: Int) -> (name: Int, line: Int) {
        func number(_ place: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        return (number(place), number(place + 4))
    }

    /// Separate lines and index while fields are appended.
    private struct Writer {
        private var lines: [UInt8]
        private var index: [UInt8]

        init(_ fields: ResponseFields) {
            lines = Array(fields.storage[..<fields.lineBytes])
            index = Array(fields.storage[fields.lineBytes...])
        }

        mutating func append(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
            let start = lines.count
            lines += name
            let nameLength = lines.count - start
            lines += [0x3A, 0x20]
            lines += value
            lines += [0x0D, 0x0A]
            for number in [nameLength, lines.count - start] {
                for shift in 0..<4 {
                    index.append(UInt8(truncatingIfNeeded: number >> (8 * shift)))
                }
            }
        }

        var fields: ResponseFields {
            var fields = ResponseFields()
            fields.lineBytes = lines.count
            fields.storage = lines + index
            return fields
        }
    }
}

extension ResponseFields: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral fields: (String, String)...) {
        self.init(fields.map { (name: $0.0, value: $0.1) })
    }
}

extension OutputBuffer {
    /// Appends the lines of a response's fields, each with its CR LF.
    package mutating func append(_ fields: borrowing ResponseFields) {
        fields.storage.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            append(ByteSpan(start: start, count: fields.lineBytes))
        }
    }
}
