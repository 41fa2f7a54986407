/// An error of a token, for which the parser finds the JSON Pointer.
struct TokenError: Error {
    var message: String
    /// The byte offset of the error.
    var offset: Int
}

/// The tokens of RFC 8259 in a text, which the parser and the object scan share.
///
/// The frequent paths are inlined and call no method that changes the scanner, so that `at` stays in a
/// register.
struct TokenScanner {
    let bytes: UnsafeRawBufferPointer
    private let base: UnsafeRawPointer
    private let count: Int
    var at: Int

    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, from at: Int = 0) {
        self.bytes = bytes
        // Without bytes none is read.
        base = bytes.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
        count = bytes.count
        self.at = at
    }

    @inline(__always)
    var isAtEnd: Bool { at >= count }

    /// The next byte; 0 at the end, which begins no token.
    @inline(__always)
    var next: UInt8 { at < count ? self[at] : 0 }

    @inline(__always)
    private subscript(place: Int) -> UInt8 { base.load(fromByteOffset: place, as: UInt8.self) }

    func error(_ message: String) -> TokenError { TokenError(message: message, offset: at) }

    /// Moves past white space.
    @inline(__always)
    mutating func skipSpace() {
        // No token begins with one of the other bytes up to 0x20.
        while at < count, self[at] <= 0x20 {
            let byte = self[at]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            at &+= 1
        }
    }

    /// The last four letters of `true`, `false` and `null`, the first in the lowest place.
    enum Letters: UInt32 {
        case `true` = 0x6575_7274
        case `false` = 0x6573_6C61
        case null = 0x6C6C_756E
    }

    /// Moves past `true`, `false` or `null`, whose first letter is the next byte.
    @inline(__always)
    mutating func literal(_ letters: Letters) throws(TokenError) {
        let start = letters == .false ? at &+ 1 : at
        guard start &+ 4 <= count,
            UInt32(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt32.self))
                == letters.rawValue
        else { throw error("expected a value") }
        at = start &+ 4
    }

    /// Moves past a number from its sign or first digit on.
    @inline(__always)
    mutating func number() throws(TokenError) {
        // Nearly every number has no exponent; all others and errors take the second path.
        let first = self[at] == UInt8(ascii: "-") ? at &+ 1 : at
        var end = digits(from: first)
        var isNumber = end > first && (self[first] != UInt8(ascii: "0") || end == first &+ 1)
        if isNumber, end < count, self[end] == UInt8(ascii: ".") {
            let fraction = end &+ 1
            end = digits(from: fraction)
            isNumber = end > fraction
        }
        guard isNumber, end == count || self[end] | 0x20 != UInt8(ascii: "e") else {
            at = try Self.endOfNumber(bytes, at)
            return
        }
        at = end
    }

    @inline(never)
    private static func endOfNumber(
        _ bytes: UnsafeRawBufferPointer,
        _ start: Int
    ) throws(TokenError) -> Int {
        let number = NumberScan(bytes, from: start)
        guard let problem = number.problem else { return number.end }
        throw TokenError(message: problem, offset: number.end)
    }

    @inline(__always)
    private func digits(from start: Int) -> Int {
        var end = start
        while end < count, self[end] &- UInt8(ascii: "0") < 10 { end &+= 1 }
        return end
    }

    /// Moves past a string from its quote on; returns whether it contains escapes.
    @inline(__always)
    mutating func string() throws(TokenError) -> Bool {
        let quote = at
        at &+= 1
        skipPlain()
        if next == UInt8(ascii: "\"") {
            at &+= 1
            return false
        }
        let rest = try Self.restOfString(from: quote, at, bytes)
        at = rest.end
        return rest.isEscaped
    }

    /// Moves to the next byte that needs a check, eight at a time.
    @inline(__always)
    mutating func skipPlain() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while at &+ 8 <= count {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            // The lowest high bit marks the first byte that is `"`, `\`, below 0x20 or not ASCII.
            let found =
                (((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
                    | ((word &- ones &* 0x20) & ~word) | word) & highs
            guard found == 0 else {
                at &+= found.trailingZeroBitCount / 8
                return
            }
            at &+= 8
        }
    }
}
