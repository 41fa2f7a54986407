internal import CNghttp2

/// An answer's fields on their way to HPACK.
///
/// The entries point at bytes that are somebody else's. nghttp2 copies them, and writes the names in
/// lower case then (RFC 9113 §8.2), unless they are said to be `stable`.
struct HTTP2Fields: ~Copyable {
    private var entries: UnsafeMutablePointer<nghttp2_nv>
    private var capacity = 16
    private var count = 0
    private var stableCount = 0
    /// The status' three digits, then a length's.
    private let digits: UnsafeMutablePointer<UInt8>
    private static let digitCapacity = 32

    init() {
        entries = .allocate(capacity: capacity)
        digits = .allocate(capacity: Self.digitCapacity)
    }

    deinit {
        entries.deallocate()
        digits.deallocate()
    }

    /// Drops all entries but those that are stable.
    mutating func removeAll() { count = stableCount }

    func withEntries<Result>(
        _ body: (UnsafePointer<nghttp2_nv>, Int) -> Result
    ) -> Result {
        body(entries, count)
    }

    /// Says that the bytes of all entries so far stay where they are until the answer is sent, their
    /// names in lower case: nothing has to be copied.
    mutating func makeStable() {
        stableCount = count
        let flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        for index in 0..<count { entries[index].flags = UInt8(flags) }
    }

    mutating func append(status: UInt16) {
        digits[0] = UInt8(truncatingIfNeeded: 0x30 + status / 100 % 10)
        digits[1] = UInt8(truncatingIfNeeded: 0x30 + status / 10 % 10)
        digits[2] = UInt8(truncatingIfNeeded: 0x30 + status % 10)
        append(Self.status, ByteSpan(start: digits, count: 3))
    }

    /// Appends the line `Date: …`.
    mutating func append(date line: ByteSpan) {
        guard line.count > 8 else { return }
        append(Self.date, line.slice(6, line.count - 2))
    }

    mutating func append(length: Int) {
        var index = Self.digitCapacity
        var rest = length.magnitude
        repeat {
            index -= 1
            digits[index] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        } while rest > 0
        append(
            Self.contentLength,
            ByteSpan(start: digits + index, count: Self.digitCapacity - index)
        )
    }

    /// Appends field lines, each with its CR LF.
    mutating func append(lines: ByteSpan) {
        guard let base = lines.baseAddress else { return }
        let end = base + lines.count
        var start = base
        while start < end {
            var colon = start.passing(to: end) { $0.letters | $0.within(0x2D, 0x2D) }
            while colon < end, colon.pointee != 0x3A { colon += 1 }
            let name = ByteSpan(start: start, count: colon - start)
            var value = min(colon + 1, end)
            while value < end, value.pointee == 0x20 { value += 1 }
            var last = value.passing(to: end) { $0.within(0x20, 0x7E) | $0.others }
            while last < end, last.pointee != 0x0D { last += 1 }
            append(name, ByteSpan(start: value, count: last - value))
            start = min(last + 2, end)
        }
    }

    private mutating func append(_ name: StaticString, _ value: ByteSpan) {
        append(ByteSpan(start: name.utf8Start, count: name.utf8CodeUnitCount), value)
    }

    private mutating func append(_ name: ByteSpan, _ value: ByteSpan) {
        if count == capacity { grow() }
        let entry = nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.baseAddress),
            value: UnsafeMutablePointer(mutating: value.baseAddress),
            namelen: name.count,
            valuelen: value.count,
            flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
        )
        (entries + count).initialize(to: entry)
        count += 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<nghttp2_nv>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }

    private static let status: StaticString = ":status"
    private static let date: StaticString = "date"
    private static let contentLength: StaticString = "content-length"
}

/// The head of answers that are given again and again, such as a document's: it is read once.
///
/// Whoever answers with it keeps it until the answer is sent. It keeps the lines it was made of, so
/// that no others can be at their address.
final class HTTP2FieldBlock {
    private let lines: [UInt8]
    private let status: UInt16
    private let bytes: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) var fields = HTTP2Fields()

    /// `date` is a line that stays where it is.
    init(status: UInt16, date: ByteSpan, lines: [UInt8]) {
        self.lines = lines
        self.status = status
        bytes = .allocate(capacity: max(lines.count, 1))
        var isName = true
        for (index, byte) in lines.enumerated() {
            if byte == 0x3A { isName = false }
            if byte == 0x0A { isName = true }
            bytes[index] = isName ? ByteClass.lowercased(byte) : byte
        }
        fields.append(status: status)
        fields.append(date: date)
        fields.append(lines: ByteSpan(start: bytes, count: lines.count))
        fields.makeStable()
    }

    deinit { bytes.deallocate() }

    /// Tells whether this is the head of an answer; by the lines' address, not their bytes.
    func isOf(_ status: UInt16, _ address: UnsafePointer<UInt8>?, _ count: Int) -> Bool {
        self.status == status && count == lines.count
            && lines.withUnsafeBufferPointer { $0.baseAddress == address }
    }
}
