internal import CNghttp2
import HTTPSyntax

/// A response's fields in nghttp2's format, for HPACK.
///
/// The entries point to the caller's bytes, or to copies in `lines` until the next `removeAll`.
struct HTTP2Fields: ~Copyable {
    private var entries: UnsafeMutablePointer<nghttp2_nv>
    private var capacity = 16
    private var count = 0
    /// The lines, with names in lower case (RFC 9113 §8.2).
    private var lines = OutputBuffer(capacity: 512)
    /// The status's three digits, and the length's at the end.
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

    mutating func removeAll() {
        count = 0
        lines.removeAll(keepingCapacity: 4096)
    }

    func withEntries<Result>(
        _ body: (UnsafePointer<nghttp2_nv>, Int) -> Result
    ) -> Result {
        body(entries, count)
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

    /// Appends a response's fields with names in lower case.
    ///
    /// Call it once between two `removeAll`.
    mutating func append(_ fields: ResponseFields, _ others: ResponseFields = [:]) {
        // Reserved at once, so that the first fields don't move.
        _ = lines.reserve(fields.byteCount + others.byteCount)
        lower(fields)
        lower(others)
    }

    private mutating func lower(_ fields: ResponseFields) {
        guard !fields.isEmpty else { return }
        let place = lines.reserve(fields.byteCount)
        lines.append(fields)
        fields.forEachPlace { name, value in
            for index in name { place[index] = ByteClass.lowercased(place[index]) }
            append(
                ByteSpan(start: place + name.lowerBound, count: name.count),
                ByteSpan(start: place + value.lowerBound, count: value.count)
            )
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
