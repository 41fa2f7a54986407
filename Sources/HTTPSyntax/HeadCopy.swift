/// A copy of a head's method and fields, for a response that is selected after the head is freed.
///
/// `@unchecked Sendable`: it is immutable.
package final class HeadCopy: @unchecked Sendable {
    package let head: RequestHead
    private let bytes: UnsafeMutablePointer<UInt8>
    private let lines: UnsafeMutablePointer<FieldLine>

    package init(_ source: RequestHead) {
        let size = source.fields.reduce(0) { $0 + $1.name.count + $1.value.count }
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
        var head = RequestHead()
        head.method = source.method
        head.demands = source.demands
        head.fields = UnsafeBufferPointer(start: lines, count: source.fields.count)
        self.head = head
    }

    deinit {
        bytes.deallocate()
        lines.deallocate()
    }
}
