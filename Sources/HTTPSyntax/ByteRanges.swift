/// Range requests of bytes (RFC 9110 §14).
package enum ByteRanges {
    package enum Verdict: Equatable {
        /// No range that counts: the whole is sent.
        case whole
        /// What to send, in the order that was asked for; each within the resource.
        case ranges([Range<Int>])
        /// None of the ranges is within the resource: 416.
        case unsatisfiable
    }

    /// The most ranges of one request.
    ///
    /// More are ignored, and the whole is sent: many small or overlapping ranges are an attack (RFC
    /// 9110 §14.2).
    package static let limit = 16

    /// Whether a Range field is of bytes at all; other units are ignored (§14.2).
    package static func areBytes(_ value: ByteSpan) -> Bool {
        value.count > 6 && value.slice(0, 6).equals(lowercase: "bytes=")
    }

    /// Reads a Range field for a resource of `size` bytes.
    ///
    /// What isn't valid is ignored (§14.2).
    package static func parse(_ value: ByteSpan, size: Int) -> Verdict {
        guard areBytes(value) else { return .whole }
        var ranges: [Range<Int>] = []
        var isValid = true
        var asksForLast = false
        var count = 0
        value.slice(6, value.count).forEachListMember { member in
            count += 1
            guard count <= limit, let spec = Spec(member) else {
                isValid = false
                return false
            }
            if let range = spec.range(size: size) { ranges.append(range) }
            if spec.isSuffix { asksForLast = true }
            return true
        }
        guard isValid, count > 0 else { return .whole }
        // The last bytes of nothing are all of it, which no Content-Range could say (§14.1.2).
        if size == 0, asksForLast { return .whole }
        guard !ranges.isEmpty else { return .unsatisfiable }
        // Ranges that overlap ask for more than the whole: it is sent instead.
        guard ranges.count == 1 || ranges.reduce(0, { $0 + $1.count }) <= size else {
            return .whole
        }
        return .ranges(coalesced(ranges))
    }

    /// Joins ranges that overlap or touch, each at the place of the first of them (§15.3.7.2): no
    /// byte is sent twice.
    private static func coalesced(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for var range in ranges {
            var place = joined.count
            for index in joined.indices.reversed() {
                let other = joined[index]
                guard range.lowerBound <= other.upperBound, other.lowerBound <= range.upperBound
                else { continue }
                range =
                    min(
                        range.lowerBound,
                        other.lowerBound
                    )..<max(
                        range.upperBound,
                        other.upperBound
                    )
                joined.remove(at: index)
                place = index
            }
            joined.insert(range, at: place)
        }
        return joined
    }

    private struct Spec {
        private var first: Int?
        private var last: Int?

        init?(_ text: ByteSpan) {
            guard let dash = text.firstIndex(of: 0x2D) else { return nil }
            let (left, right) = (text.slice(0, dash), text.slice(dash + 1, text.count))
            if !left.isEmpty {
                guard let number = Self.number(left) else { return nil }
                first = number
            }
            if !right.isEmpty {
                guard let number = Self.number(right) else { return nil }
                last = number
            }
            guard first != nil || last != nil else { return nil }
            if let first, let last, last < first { return nil }
        }

        /// It asks for the last bytes, and for some.
        var isSuffix: Bool { first == nil && last != 0 }

        func range(size: Int) -> Range<Int>? {
            guard let first else {
                let suffix = min(last ?? 0, size)
                return suffix > 0 ? (size - suffix)..<size : nil
            }
            guard first < size else { return nil }
            return first..<(min(last ?? Int.max, size - 1) + 1)
        }

        /// Digits alone; what is beyond an Int is as good as its maximum.
        private static func number(_ text: ByteSpan) -> Int? {
            var value = 0
            for byte in text {
                guard ByteClass.isDigit(byte) else { return nil }
                let (product, overflow) = value.multipliedReportingOverflow(by: 10)
                let (sum, carry) = product.addingReportingOverflow(Int(byte - 0x30))
                value = overflow || carry ? Int.max : sum
            }
            return value
        }
    }
}
