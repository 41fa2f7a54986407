/// Returns the shortest text of a number, in JavaScript's notation (ECMA-262, Number::toString):
/// `1`, `0.5`, `1e-7`, `1e+21`.
///
/// Swift returns the shortest digits; only the position of the point differs.
func shortestText<T: BinaryFloatingPoint & CustomStringConvertible>(_ value: T) -> String {
    guard value != 0 else { return "0" }
    var digits: [UInt8] = []
    var exponent = 0
    var seenPoint = false
    let text = value.magnitude.description.utf8
    for (place, byte) in text.enumerated() {
        if byte == UInt8(ascii: ".") {
            seenPoint = true
        } else if byte == UInt8(ascii: "e") {
            exponent += Int(String(decoding: text.dropFirst(place + 1), as: UTF8.self)) ?? 0
            break
        } else {
            if seenPoint { exponent -= 1 }
            if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
        }
    }
    while digits.last == UInt8(ascii: "0") {
        digits.removeLast()
        exponent += 1
    }
    let sign = value < 0 ? "-" : ""
    return sign + layOut(digits, point: digits.count + exponent)
}

/// Returns the digits with a point after the first `point`, which may be outside of them.
private func layOut(_ digits: [UInt8], point: Int) -> String {
    func text(_ digits: some Sequence<UInt8>) -> String {
        String(decoding: Array(digits), as: UTF8.self)
    }
    switch point {
    case digits.count...max(digits.count, 21) where point <= 21:
        return text(digits) + String(repeating: "0", count: point - digits.count)
    case 1...21:
        return text(digits.prefix(point)) + "." + text(digits.dropFirst(point))
    case -5...0:
        return "0." + String(repeating: "0", count: -point) + text(digits)
    default:
        let fraction = digits.count > 1 ? "." + text(digits.dropFirst()) : ""
        let power = point - 1
        return text(digits.prefix(1)) + fraction + "e" + (power < 0 ? "" : "+") + String(power)
    }
}
