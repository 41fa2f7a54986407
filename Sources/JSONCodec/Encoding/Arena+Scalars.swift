extension Arena {
    func setNull(at node: Int) { set(literal: "null", at: node) }

    func set(_ value: Bool, at node: Int) { set(literal: value ? "true" : "false", at: node) }

    func set(_ value: String, at node: Int) {
        let start = used
        _ = write(quoted: value)
        close(scalar: node, from: start)
    }

    @inline(__always)
    func set<T: FixedWidthInteger>(_ value: T, at node: Int) {
        let start = used
        write(upTo: 40) { out in
            guard let magnitude = UInt64(exactly: value.magnitude) else {
                return copy(String(value), to: out)
            }
            var length = value < 0 ? 1 : 0
            out[0] = UInt8(ascii: "-")
            var rest = magnitude
            repeat {
                length += 1
                rest /= 10
            } while rest > 0
            var at = length
            rest = magnitude
            repeat {
                at -= 1
                out[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            return length
        }
        close(scalar: node, from: start)
    }

    func set<T: BinaryFloatingPoint & CustomStringConvertible>(_ value: T, at node: Int) throws {
        guard value.isFinite else { throw invalid(value, at: node, "not a finite number") }
        // JavaScript's text of negative zero has no sign, but its JSON.parse reads one. Python reads
        // -0 as an integer, which has none.
        let isNegativeZero = value == 0 && value.sign == .minus
        set(raw: isNegativeZero ? "-0.0" : shortestText(value), at: node)
    }

    /// Writes a JSON tree with sorted members.
    func set(_ value: JSON, at node: Int) {
        let bytes = value.encoded(JSONLayout(sortsMembers: true))
        let start = used
        write(upTo: bytes.count) { out in
            out.update(from: bytes, count: bytes.count)
            return bytes.count
        }
        close(scalar: node, from: start)
    }

    /// Writes a text that is JSON already.
    func set(raw value: String, at node: Int) {
        let start = used
        write(upTo: value.utf8.count) { copy(value, to: $0) }
        close(scalar: node, from: start)
    }

    private func set(literal: StaticString, at node: Int) {
        let start = used
        write(upTo: 8) { out in
            out.update(from: literal.utf8Start, count: literal.utf8CodeUnitCount)
            return literal.utf8CodeUnitCount
        }
        close(scalar: node, from: start)
    }

    /// Writes a quoted string and returns whether it needed escapes.
    @inline(__always)
    func write(quoted string: consuming String) -> Bool {
        var isEscaped = false
        string.withUTF8 { bytes in
            // A control character grows to six bytes: \u0000.
            let escapes = Escaping.count(bytes)
            isEscaped = escapes > 0
            write(upTo: bytes.count + escapes * 5 + 2) { Escaping.quote(bytes, escapes, to: $0) }
        }
        return isEscaped
    }

    /// Returns the error of a value that JSON can't represent.
    func invalid(_ value: Any, at node: Int, _ message: String) -> EncodingError {
        let path: [any CodingKey] = path(to: node)
        return .invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription: message,
                underlyingError: JSONTypeError(path: path, message: message)
            )
        )
    }

    private func copy(_ string: String, to out: UnsafeMutablePointer<UInt8>) -> Int {
        var string = string
        return string.withUTF8 { bytes in
            if let start = bytes.baseAddress { out.update(from: start, count: bytes.count) }
            return bytes.count
        }
    }
}
