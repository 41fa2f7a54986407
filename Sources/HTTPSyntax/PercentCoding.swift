/// Percent-encoding (RFC 3986 §2.1).
package enum PercentCoding {
    /// Returns the octet of the escape at `index`; nil if it has no two hexadecimal digits.
    @inline(__always)
    package static func octet(in bytes: ByteSpan, at index: Int) -> UInt8? {
        guard index + 2 < bytes.count, let high = ByteClass.hexValue(bytes[index + 1]),
            let low = ByteClass.hexValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Decodes a value of a path or a query.
    ///
    /// - Parameters:
    ///   - bytes: The bytes as sent.
    ///   - plusIsSpace: Whether `+` means a space, as in queries of HTML forms.
    /// - Returns: The text; nil for an invalid escape, invalid UTF-8, or a NUL. A NUL would end the
    ///   text early in C code.
    package static func decode(_ bytes: ByteSpan, plusIsSpace: Bool = false) -> String? {
        // Most values have no escapes and need no validation, at a third of the cost.
        if bytes.allSatisfy({ isPlain($0, plusIsSpace) }) { return bytes.text }
        var octets: [UInt8] = []
        octets.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            if byte == 0x25 {
                guard let octet = octet(in: bytes, at: index) else { return nil }
                byte = octet
                index += 2
            } else if plusIsSpace, byte == 0x2B {
                byte = 0x20
            }
            guard byte != 0 else { return nil }
            octets.append(byte)
            index += 1
        }
        return String(validating: octets, as: UTF8.self)
    }

    /// Escapes all characters that aren't unreserved (RFC 3986 §2.3).
    package static func encode(_ text: String) -> String {
        encode(text.utf8, except: ByteClass.isUnreserved)
    }

    /// Returns the normal form of a path segment with this text, which may contain a `/`.
    package static func segment(_ text: String) -> String {
        encode(text.utf8) { $0 != 0x25 && $0 != 0x2F && ByteClass.isPath($0) }
    }

    private static func encode(
        _ bytes: some Collection<UInt8>,
        except stays: (UInt8) -> Bool
    ) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for byte in bytes {
            if stays(byte) {
                encoded.append(byte)
            } else {
                encoded += [0x25, hexDigit(byte >> 4), hexDigit(byte & 0xF)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Whether a byte is ASCII, and neither NUL nor encoded.
    @inline(__always)
    private static func isPlain(_ byte: UInt8, _ plusIsSpace: Bool) -> Bool {
        byte != 0 && byte < 0x80 && byte != 0x25 && !(plusIsSpace && byte == 0x2B)
    }

    @inline(__always)
    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }
}

// MARK: - Paths

extension PercentCoding {
    /// Writes the normal form of a path, in which equivalent spellings are equal (RFC 3986 §6.2.2).
    ///
    /// - Octets that a segment may contain are decoded. Other escapes get upper-case digits.
    /// - An encoded `/` stays encoded, since it doesn't separate segments.
    /// - A `%` without digits is unchanged.
    ///
    /// - Parameters:
    ///   - path: The path as sent.
    ///   - output: Memory of at least the path's length.
    /// - Returns: The number of bytes in `output`.
    static func normalize(_ path: ByteSpan, into output: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        func append(_ byte: UInt8) {
            output[count] = byte
            count += 1
        }
        var index = 0
        while index < path.count {
            if path[index] == 0x25, let octet = octet(in: path, at: index) {
                if octet != 0x25, octet != 0x2F, ByteClass.isPath(octet) {
                    append(octet)
                } else {
                    append(0x25)
                    append(hexDigit(octet >> 4))
                    append(hexDigit(octet & 0xF))
                }
                index += 3
            } else {
                append(path[index])
                index += 1
            }
        }
        return count
    }

    /// Returns the normal form of any text as a path, with invalid characters escaped.
    package static func normalized(_ path: some Collection<UInt8>) -> String {
        var path = encode(path, except: ByteClass.isPath)
        return path.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { output in
                output.baseAddress.map { normalize(bytes, into: $0) } ?? 0
            }
        }
    }
}
