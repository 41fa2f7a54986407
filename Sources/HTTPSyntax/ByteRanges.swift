/// Byte range requests (RFC 9110 §14).
package enum ByteRanges {
    package enum Verdict: Equatable {
        /// No valid range: the server sends the whole resource.
        case whole
        /// The ranges to send, in the requested order; all are within the resource.
        case ranges([Range<Int>])
        /// No range is within the resource: 416.
        case unsatisfiable
    }

    /// The maximum number of ranges in a request.
    ///
    /// A request with more gets the whole resource: many small or overlapping ranges are an attack
    /// (RFC 9110 §14.2).
    package static let limit = 16

    /// Whether a Range field has the unit bytes; other units are ignored (§14.2).
    package static func areBytes(_ value: ByteSpan) -> Bool {
        value.count > 6 && value.slice(0, 6).equals(lowercase: "bytes=")
    }

    /// Parses a Range field for a resource of `size` bytes; an invalid field is ignored (§14.2).
    package static func parse(_ value: ByteSpan, size: Int) -> Verdict {
        guard areBytes(value) else { return .whole }
        var ranges: [Range<Int>] = []
        var isValid = true
        var isSuffixRange = false
        var count = 0
        value.slice(6, value.count).forEachListMember { member in
            count += 1
            guard count <= limit, let spec = Spec(member) else {
                isValid = false
                return false
            }
            if let range = spec.range(size: size) { ranges.append(range) }
            if spec.isSuffix { isSuffixRange = true }
            return true
        }
        guard isValid, count > 0 else { return .whole }
        // A suffix of an empty resource is the whole resource, which Content-Range can't express
        // (§14.1.2).
        if size == 0, isSuffixRange { return .whole }
        guard !ranges.isEmpty else { return .unsatisfiable }
        // Overlapping ranges request more bytes than the whole resource, which is sent instead.
        guard ranges.count == 1 || ranges.reduce(0, { $0 + $1.count }) <= size else {
            return .whole
        }
        return .ranges(coalesced(ranges))
    }

    /// Joins overlapping or adjacent ranges at the place of the first, so that no byte is sent
    /// twice (§15.3.7.2).
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

        /// Whether it requests a non-empty suffix.
        var isSuffix: Bool { first == nil && last != 0 }

        func range(size: Int) -> Range<Int>? {
            guard let first else {
                let suffix = min(last ?? 0, size)
                return suffix > 0 ? (size - suffix)..<size : nil
            }
            guard first < size else { return nil }
            return first..<(min(last ?? Int.max, size - 1) + 1)
        }

        /// Parses decimal digits; a value beyond `Int.max` becomes `Int.max`.
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
