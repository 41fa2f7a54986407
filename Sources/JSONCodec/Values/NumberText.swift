/// The reason why a number isn't the requested integer.
enum IntegerProblem: Error {
    case fractional
    case outOfRange
}

/// The text of one JSON number, parsed on demand.
struct NumberText {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Whether it is an integer in its only form: without a decimal point, an exponent and `-0`.
    var isPlain: Bool {
        (bytes[0] != UInt8(ascii: "-") || bytes[1] != UInt8(ascii: "0"))
            && bytes.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
    }

    /// Returns the number as an exact integer: `1.0` and `1e2` are integers, `1.5` isn't.
    func integer<T: FixedWidthInteger>(_ type: T.Type) -> Result<T, IntegerProblem> {
        let negative = bytes[0] == UInt8(ascii: "-")
        let start = negative ? 1 : 0
        // Eighteen digits fit in 64 bits, so nearly every number ends here.
        if bytes.count - start <= 18 {
            var value: Int64 = 0
            var at = start
            while at < bytes.count {
                let digit = bytes[at] &- UInt8(ascii: "0")
                guard digit < 10 else { return decimal().integer(type) }
                value = value &* 10 &+ Int64(digit)
                at += 1
            }
            guard let exact = T(exactly: negative ? -value : value) else {
                return .failure(.outOfRange)
            }
            return .success(exact)
        }
        return decimal().integer(type)
    }

    /// Returns the nearest `Double`; nil if it is out of range.
    func double() -> Double? {
        let number = decimal()
        // Both operands are exact, so one rounding returns the nearest value (Clinger, 1990).
        if let digits = number.significand, digits <= 1 << 53, abs(number.exponent) <= 22 {
            let power = powersOfTen[abs(number.exponent)]
            let amount = number.exponent < 0 ? Double(digits) / power : Double(digits) * power
            return number.isNegative ? -amount : amount
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Returns the nearest `Float`; nil if it is out of range.
    ///
    /// It parses the text itself, since rounding to a `Double` first would round twice.
    func float() -> Float? {
        guard let value = Float(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    /// Returns the number as digits times a power of ten.
    func decimal() -> Decimals {
        var number = Decimals(isNegative: bytes[0] == UInt8(ascii: "-"), bytes: bytes)
        var at = number.isNegative ? 1 : 0
        var seenPoint = false
        var significand: UInt64 = 0
        var overflows = false
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: ".") {
                seenPoint = true
            } else if byte | 0x20 == UInt8(ascii: "e") {
                break
            } else {
                let (product, tooBig) = significand.multipliedReportingOverflow(by: 10)
                let (sum, carried) = product.addingReportingOverflow(
                    UInt64(byte &- UInt8(ascii: "0"))
                )
                overflows = overflows || tooBig || carried
                significand = sum
                if seenPoint { number.exponent -= 1 }
            }
            at += 1
        }
        number.digitsEnd = at
        number.exponent += exponent(from: at + 1)
        number.significand = overflows ? nil : significand
        return number
    }

    /// Returns the exponent from `start` on, clamped so that no sum overflows.
    private func exponent(from start: Int) -> Int {
        guard start < bytes.count else { return 0 }
        let negative = bytes[start] == UInt8(ascii: "-")
        var at = negative || bytes[start] == UInt8(ascii: "+") ? start + 1 : start
        var value = 0
        while at < bytes.count {
            value = min(value * 10 + Int(bytes[at] &- UInt8(ascii: "0")), 1 << 40)
            at += 1
        }
        return negative ? -value : value
    }
}

/// A number as digits times a power of ten.
struct Decimals {
    var isNegative: Bool
    /// The number's text; the digits end at `digitsEnd`.
    var bytes: UnsafeRawBufferPointer
    var digitsEnd = 0
    var exponent = 0
    /// The digits as one integer; nil if it overflows.
    var significand: UInt64?

    init(isNegative: Bool, bytes: UnsafeRawBufferPointer) {
        self.isNegative = isNegative
        self.bytes = bytes
    }

    /// Returns the exact integer, of any width.
    func integer<T: FixedWidthInteger>(_ type: T.Type) -> Result<T, IntegerProblem> {
        // Trailing zeros are powers of ten: 1.50e1 is 15.
        var last = digitsEnd
        var exponent = exponent
        while last > 0 {
            let byte = bytes[last - 1]
            if byte == UInt8(ascii: "0") {
                exponent += 1
            } else if byte != UInt8(ascii: ".") {
                break
            }
            last -= 1
        }
        guard last > (isNegative ? 1 : 0) else { return .success(0) }
        guard exponent >= 0 else { return .failure(.fractional) }
        // The widest integer has 128 bits and 39 digits.
        guard exponent <= 39 else { return .failure(.outOfRange) }
        var value: T = 0
        for byte in bytes[(isNegative ? 1 : 0)..<last] where byte != UInt8(ascii: ".") {
            guard append(byte &- UInt8(ascii: "0"), to: &value) else {
                return .failure(.outOfRange)
            }
        }
        for _ in 0..<exponent where !append(0, to: &value) { return .failure(.outOfRange) }
        return .success(value)
    }

    /// Appends a digit; returns false on overflow.
    ///
    /// Negative numbers are subtracted, because the least integer has no positive counterpart.
    private func append<T: FixedWidthInteger>(_ digit: UInt8, to value: inout T) -> Bool {
        let (product, tooBig) = value.multipliedReportingOverflow(by: 10)
        let (sum, carried) =
            isNegative
            ? product.subtractingReportingOverflow(T(digit))
            : product.addingReportingOverflow(T(digit))
        value = sum
        return !tooBig && !carried
    }
}

/// The powers of ten that a `Double` represents exactly.
private let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]
