/// A number as decimal digits and a power of ten, so that 0.3 is three times 0.1.
struct DecimalText {
    let isNegative: Bool
    /// The digits without leading and trailing zeros; none for zero.
    let digits: [UInt8]
    /// The power of ten of the last digit.
    let exponent: Int

    /// Parses a JSON number; nil if its exponent is 2^40 or more.
    init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes.removeFirst() }
        var power = 0
        var isBeyond = false
        if let mark = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            let number = String(decoding: bytes[(mark + 1)...], as: UTF8.self)
            power = Int(number) ?? .max
            isBeyond = power.magnitude >= 1 << 40
            if isBeyond { power = 0 }
            bytes = bytes[..<mark]
        }
        if let point = bytes.firstIndex(of: UInt8(ascii: ".")) {
            power -= bytes.endIndex - point - 1
            bytes.remove(at: point)
        }
        bytes = bytes.drop { $0 == 0x30 }
        while bytes.last == 0x30 {
            bytes.removeLast()
            power += 1
        }
        // Zero is zero, whatever its exponent.
        guard bytes.allSatisfy({ $0 &- 0x30 < 10 }), !isBeyond || bytes.isEmpty else { return nil }
        digits = bytes.map { $0 - 0x30 }
        exponent = digits.isEmpty ? 0 : power
    }

    /// The notation that all equal numbers share.
    var normal: String {
        guard !digits.isEmpty else { return "0" }
        return (isNegative ? "-" : "") + digits.map { "\($0)" }.joined() + "e\(exponent)"
    }

    /// Whether multiples of it can be checked: positive, with at most 18 digits.
    var isPositiveUnit: Bool { !isNegative && 1...18 ~= digits.count }

    /// Returns the order of two numbers: below, at or above zero.
    func order(to other: DecimalText) -> Int {
        let sign = digits.isEmpty ? 0 : isNegative ? -1 : 1
        let otherSign = other.digits.isEmpty ? 0 : other.isNegative ? -1 : 1
        guard sign == otherSign else { return sign - otherSign }
        guard sign != 0 else { return 0 }
        let magnitude = digits.count + exponent
        let otherMagnitude = other.digits.count + other.exponent
        if magnitude != otherMagnitude { return magnitude < otherMagnitude ? -sign : sign }
        if digits == other.digits { return 0 }
        return digits.lexicographicallyPrecedes(other.digits) ? -sign : sign
    }

    /// Whether it is a whole multiple of a positive unit.
    func isMultiple(of unit: DecimalText) -> Bool {
        guard !digits.isEmpty else { return true }
        // The last digit is nonzero, which rules out multiples of ten times its place value.
        let shift = exponent - unit.exponent
        guard shift >= 0 else { return false }
        let divisor = unit.integer
        return remainder(divisor) * Self.power(shift, modulo: divisor) % divisor == 0
    }

    private var integer: UInt128 { digits.reduce(0) { $0 * 10 + UInt128($1) } }

    /// Returns the remainder of the digits as an integer.
    private func remainder(_ divisor: UInt128) -> UInt128 {
        digits.reduce(0) { ($0 * 10 + UInt128($1)) % divisor }
    }

    private static func power(_ exponent: Int, modulo divisor: UInt128) -> UInt128 {
        var result = 1 % divisor
        var base = 10 % divisor
        var rest = exponent
        while rest > 0 {
            if rest & 1 == 1 { result = result * base % divisor }
            rest >>= 1
            base = base * base % divisor
        }
        return result
    }
}
