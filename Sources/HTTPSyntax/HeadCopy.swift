/// A copy of a head, for a response that is made after the head is freed.
///
/// `@unchecked Sendable`: it is immutable.
package final class HeadCopy: @unchecked Sendable {
    /// The copy's address, which stays the same.
    package let place: UnsafePointer<RequestHead>
    package var head: RequestHead { place.pointee }
    private let bytes: UnsafeMutablePointer<UInt8>
    private let lines: UnsafeMutablePointer<FieldLine>

    package init(_ source: RequestHead) {
        let texts = [
            source.methodName, source.path, source.rawPath, source.authority,
            source.query ?? ByteSpan(start: nil, count: 0),
        ]
        let size =
            source.fields.reduce(0) { $0 + $1.name.count + $1.value.count }
            + texts.reduce(0) { $0 + $1.count }
        bytes = .allocate(capacity: max(size, 1))
        lines = .allocate(capacity: max(source.fields.count, 1))
        var end = bytes
        func copy(_ span: ByteSpan) -> ByteSpan {
            guard let start = span.baseAddress else { return span }
            end.initialize(from: start, count: span.count)
            defer { end += span.count }
            return ByteSpan(start: end, count: span.count)
        }
        for (index, line) in source.fields.enumerated() {
            let copied = FieldLine(name: copy(line.name), value: copy(line.value))
            (lines + index).initialize(to: copied)
        }
        var head = source
        head.methodName = copy(source.methodName)
        head.path = copy(source.path)
        head.rawPath = copy(source.rawPath)
        head.authority = copy(source.authority)
        head.query = source.query.map(copy)
        head.fields = UnsafeBufferPointer(start: lines, count: source.fields.count)
        let place = UnsafeMutablePointer<RequestHead>.allocate(capacity: 1)
        place.initialize(to: head)
        self.place = UnsafePointer(place)
    }

    deinit {
        place.deallocate()
        bytes.deallocate()
        lines.deallocate()
    }
}
