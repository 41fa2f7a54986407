/// A number as decimal digits and a power of ten, so that 0.3 is three times 0.1.
struct DecimalText {
    let isNegative: Bool
    /// The digits, without zeros at either end; none for zero.
    let digits: [UInt8]
    /// The power of ten of the last digit.
    let exponent: Int

    /// The number of a JSON text; nil where its exponent is beyond reason.
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

    /// The one text of all that are equal.
    var normal: String {
        guard !digits.isEmpty else { return "0" }
        return (isNegative ? "-" : "") + digits.map { "\($0)" }.joined() + "e\(exponent)"
    }

    /// Whether numbers can be told to be multiples of it: above zero, of 18 digits at most.
    var isPositiveUnit: Bool { !isNegative && 1...18 ~= digits.count }

    /// Below zero, zero or above it as this is less than, equal to or more than another.
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

    /// Whether it is a whole number of those units, which are positive ones.
    func isMultiple(of unit: DecimalText) -> Bool {
        guard !digits.isEmpty else { return true }
        // The last digit isn't zero, so it is no multiple of ten times what its place is worth.
        let shift = exponent - unit.exponent
        guard shift >= 0 else { return false }
        let divisor = unit.integer
        return remainder(divisor) * Self.power(shift, modulo: divisor) % divisor == 0
    }

    private var integer: UInt128 { digits.reduce(0) { $0 * 10 + UInt128($1) } }

    /// The remainder of the digits, taken for an integer.
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
