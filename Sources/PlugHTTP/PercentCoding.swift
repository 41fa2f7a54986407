/// Percent-encoding (RFC 3986, 2.1) of one value in a path or a query.
package enum PercentCoding {
    /// The text that percent-encoded bytes stand for.
    ///
    /// - Parameters:
    ///   - bytes: the bytes as they were on the wire.
    ///   - plusIsSpace: whether `+` is a space, as HTML forms write it in queries.
    /// - Returns: nil where a `%` is not followed by two hexadecimal digits, the bytes are not
    ///   UTF-8, or one is NUL, which would end the text early for whatever C code it reaches.
    static func decode(
        _ bytes: some Collection<UInt8>,
        plusIsSpace: Bool = false
    ) -> String? {
        // Most values are such text, and then nothing has to be validated: a third of the cost.
        if bytes.allSatisfy({ isPlain($0, plusIsSpace) }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexValue),
                    let low = iterator.next().flatMap(hexValue)
                else { return nil }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(UInt8(ascii: " "))
            default:
                decoded.append(byte)
            }
        }
        guard !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// A path with nothing percent-encoded that may stand there as it is, and all else, so that all ways
    /// to write it are the same text (RFC 3986 §3.3, §6.2.2).
    ///
    /// An encoded `/` stays: it divides no segments.
    package static func normalized(_ path: some Collection<UInt8>) -> String {
        var normal: [UInt8] = []
        normal.reserveCapacity(path.count)
        for byte in path {
            guard isSegment(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") else {
                normal += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
                continue
            }
            normal.append(byte)
            // An octet's last digit has come.
            guard normal.count > 2, normal[normal.count - 3] == UInt8(ascii: "%"),
                let high = hexValue(normal[normal.count - 2]), let low = hexValue(byte)
            else { continue }
            let octet = high << 4 | low
            normal.removeLast(3)
            normal +=
                isSegment(octet)
                ? [octet] : [UInt8(ascii: "%"), hexDigit(octet >> 4), hexDigit(octet & 0xF)]
        }
        return String(decoding: normal, as: UTF8.self)
    }

    /// Whether a byte may stand in a path's segment (RFC 3986 §3.3).
    private static func isSegment(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte)
    }

    /// A text with everything but RFC 3986's unreserved characters percent-encoded.
    static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(hexDigit(byte >> 4))
                encoded.append(hexDigit(byte & 0xF))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Whether a byte needn't be encoded anywhere (RFC 3986 §2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Whether a byte stands for itself: ASCII, no NUL, nothing encoded.
    @inline(__always)
    private static func isPlain(_ byte: UInt8, _ plusIsSpace: Bool) -> Bool {
        byte != 0 && byte < 0x80 && byte != UInt8(ascii: "%")
            && !(plusIsSpace && byte == UInt8(ascii: "+"))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// A request target whose path or query cannot be read.
package struct MalformedTarget: Error, Equatable, CustomStringConvertible {
    /// What is wrong, fit for the one who sent it.
    package let description: String
}
