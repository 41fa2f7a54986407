extension JSON {
    /// A number with its original text: `1.10` stays `1.10`, and big integers are exact.
    ///
    /// Numbers are equal if their texts are. To compare values, use ``int`` or ``double``.
    public struct Number: Sendable, Hashable, CustomStringConvertible {
        /// The number's JSON text.
        public let text: String

        /// Creates a number from JSON text; nil if that isn't one JSON number.
        public init?(_ text: String) {
            var text = text
            let isNumber = text.withUTF8 { bytes in
                NumberScan.isNumber(UnsafeRawBufferPointer(bytes))
            }
            guard isNumber else { return nil }
            self.text = text
        }

        /// Creates a number from an integer.
        public init(_ value: some BinaryInteger) { text = String(value) }

        /// Creates a number from a `Double`; nil if it is infinite or NaN.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            text = shortestText(value)
        }

        /// Creates a number from a text that the parser has validated.
        init(checked text: String) { self.text = text }

        /// The exact integer, as for `1.0` and `1e2`; nil for other numbers.
        public var int: Int? {
            var text = text
            return text.withUTF8 { bytes in
                try? NumberText(UnsafeRawBufferPointer(bytes)).integer(Int.self).get()
            }
        }

        /// The nearest `Double`; nil if it is out of range.
        public var double: Double? {
            var text = text
            return text.withUTF8 { NumberText(UnsafeRawBufferPointer($0)).double() }
        }

        /// Whether both have exactly the same value: `1`, `1.0` and `10e-1` do.
        package func isSameAmount(as other: Number) -> Bool {
            if text == other.text { return true }
            guard let left = DecimalText(text), let right = DecimalText(other.text) else {
                return false
            }
            return left.order(to: right) == 0
        }

        /// The number's JSON text.
        public var description: String { text }
    }
}

/// The grammar of RFC 8259, section 6.
struct NumberScan {
    /// The end of the number.
    var end: Int
    /// The error at `end`; nil for a valid number.
    var problem: String?

    /// Scans one number from `start` on.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        var at = start
        func digits() -> Bool {
            let first = at
            while at < bytes.count, bytes[at] &- UInt8(ascii: "0") < 10 { at += 1 }
            return at > first
        }
        end = start
        if at < bytes.count, bytes[at] == UInt8(ascii: "-") { at += 1 }
        let first = at
        if !digits() {
            problem = "expected a digit"
        } else if bytes[first] == UInt8(ascii: "0"), at > first + 1 {
            at = first
            problem = "a number has no leading zero"
        }
        if problem == nil, at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            at += 1
            if !digits() { problem = "expected a digit" }
        }
        if problem == nil, at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") {
                at += 1
            }
            if !digits() { problem = "expected a digit" }
        }
        end = at
    }

    /// Whether the bytes are exactly one number.
    static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let scan = NumberScan(bytes, from: 0)
        return scan.problem == nil && scan.end == bytes.count
    }
}
