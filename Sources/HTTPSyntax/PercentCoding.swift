/// Percent-encoding (RFC 3986 §2.1).
package enum PercentCoding {
    /// Returns the octet that the escape at `index` stands for; nil if two hexadecimal digits don't follow.
    @inline(__always)
    package static func octet(in bytes: ByteSpan, at index: Int) -> UInt8? {
        guard index + 2 < bytes.count, let high = ByteClass.hexValue(bytes[index + 1]),
            let low = ByteClass.hexValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Returns the text of an encoded value in a path or a query.
    ///
    /// - Parameters:
    ///   - bytes: the bytes as sent.
    ///   - plusIsSpace: whether `+` is a space, as HTML forms write it in queries.
    /// - Returns: nil if a `%` is no escape, if the octets are not UTF-8, or if one is NUL. A NUL would end
    ///   the text early in any C code that it reaches.
    package static func decode(_ bytes: ByteSpan, plusIsSpace: Bool = false) -> String? {
        // Most values are plain, and then nothing has to be validated: a third of the cost.
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

    /// Returns the text with each byte escaped that is not unreserved (RFC 3986 §2.3).
    package static func encode(_ text: String) -> String {
        encode(text.utf8, except: ByteClass.isUnreserved)
    }

    /// Returns the normal form of a path's segment with this text; it may contain a `/`.
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

    /// Whether a byte stands for itself: ASCII, no NUL, nothing encoded.
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
    /// Writes a path in normal form: the one spelling of all that are equivalent (RFC 3986 §6.2.2).
    ///
    /// Octets that a segment may contain are decoded, the digits of other escapes are in upper case. An
    /// encoded `/` stays encoded, so that it divides no segments. A `%` without digits stays, too.
    ///
    /// - Parameters:
    ///   - path: the path as sent.
    ///   - output: memory for as many bytes as `path` has.
    /// - Returns: the number of bytes in `output`.
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

    /// Returns the normal form of a path that may contain any character; those that no path may contain are escaped.
    package static func normalized(_ path: some Collection<UInt8>) -> String {
        var path = encode(path, except: ByteClass.isPath)
        return path.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { output in
                output.baseAddress.map { normalize(bytes, into: $0) } ?? 0
            }
        }
    }
}
