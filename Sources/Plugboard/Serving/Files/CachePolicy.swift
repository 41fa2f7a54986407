import HTTPSyntax

/// The time for which clients may cache a file without revalidation (RFC 9111 §5.2.2, RFC 8246).
enum CachePolicy {
    /// Returns the Cache-Control of a file: a year if its name contains a hash of its content.
    static func of(_ path: String) -> String {
        namesContent(path) ? "public, max-age=31536000, immutable" : "no-cache"
    }

    /// Whether the name contains a content hash: `app.3f2a9c1b.js`, `main-5e884898da28.css`.
    ///
    /// A hash is between a `.` or `-` and a `.`, and has at least eight characters. It is either of
    /// two kinds:
    ///
    /// - hexadecimal, with a digit and a letter
    /// - base64url letters and digits, with both cases and a digit before a letter
    ///
    /// Dates, versions, `Screenshot2024` and the end of a UUID are no hashes. A missed hash costs a
    /// revalidation; a wrong match serves a stale file for a year.
    static func namesContent(_ path: String) -> Bool {
        let path = path.utf8
        let name = Array(
            path.suffix(from: path.lastIndex(of: 0x2F).map(path.index(after:)) ?? path.startIndex)
        )
        var start: Int?
        for (index, byte) in name.enumerated() where byte == 0x2E || byte == 0x2D {
            if byte == 0x2E, let start, isHash(name[start..<index]),
                !isUUID(name[..<index].suffix(36))
            {
                return true
            }
            start = index + 1
        }
        return false
    }

    private static func isHash(_ part: ArraySlice<UInt8>) -> Bool {
        guard part.count >= 8 else { return false }
        var (digits, isHex, hasUpper, hasLower, hasInnerDigit) = (0, true, false, false, false)
        for byte in part {
            switch byte {
            case 0x30...0x39: digits += 1
            case 0x41...0x5A: (hasUpper, hasInnerDigit) = (true, hasInnerDigit || digits > 0)
            case 0x61...0x7A: (hasLower, hasInnerDigit) = (true, hasInnerDigit || digits > 0)
            case 0x5F: break
            default: return false
            }
            if ByteClass.hexValue(byte) == nil { isHex = false }
        }
        return isHex ? digits > 0 && digits < part.count : hasUpper && hasLower && hasInnerDigit
    }

    /// A UUID: `8-4-4-4-12` hexadecimal digits (RFC 9562 §4), independent of the content.
    private static func isUUID(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        return text.enumerated().allSatisfy { index, byte in
            switch index {
            case 8, 13, 18, 23: byte == 0x2D
            default: ByteClass.hexValue(byte) != nil
            }
        }
    }
}
