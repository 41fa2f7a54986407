/// A parser of fields that contain one item (RFC 9651 §3.3).
///
/// Parameters have no meaning, but must be valid.
package enum StructuredItem {
    /// Returns a field's text; nil for an invalid item.
    ///
    /// The text is a quoted string, or bare: most clients send a UUID without quotes, which is no
    /// item of a structured field if it begins with a digit.
    package static func text(_ value: ByteSpan) -> String? {
        var parser = Parser(value)
        var text: [UInt8] = []
        let isText = value.first == 0x22 ? parser.string(into: &text) : parser.skipBare()
        guard isText else { return nil }
        if value.first != 0x22 { text += value.slice(0, parser.place) }
        guard parser.skipParameters() else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns an item without quotes, such as a number, as sent; nil for an invalid item.
    package static func bare(_ value: ByteSpan) -> ByteSpan? {
        var parser = Parser(value)
        guard parser.skipBare() else { return nil }
        let item = value.slice(0, parser.place)
        return parser.skipParameters() ? item : nil
    }

    struct Parser {
        let value: ByteSpan
        var place = 0

        init(_ value: ByteSpan) { self.value = value }

        var byte: UInt8? { place < value.count ? value[place] : nil }

        mutating func skip(_ expected: UInt8) -> Bool {
            guard byte == expected else { return false }
            place += 1
            return true
        }

        /// Skips all bytes that match; returns false if there are none.
        mutating func skipSome(_ matches: (UInt8) -> Bool) -> Bool {
            let start = place
            while let byte, matches(byte) { place += 1 }
            return place > start
        }

        /// Parses a quoted string (RFC 9651 §4.2.5).
        mutating func string(into text: inout [UInt8]) -> Bool {
            guard skip(0x22) else { return false }
            while var byte, (0x20...0x7E).contains(byte) {
                place += 1
                if byte == 0x22 { return true }
                if byte == 0x5C {
                    guard let escaped = self.byte, escaped == 0x22 || escaped == 0x5C else {
                        return false
                    }
                    byte = escaped
                    place += 1
                }
                text.append(byte)
            }
            return false
        }

        /// Skips an item without quotes: visible characters other than `"`, `\`, `,` and `;`.
        mutating func skipBare() -> Bool {
            skipSome { byte in
                switch byte {
                case 0x22, 0x2C, 0x3B, 0x5C: false
                default: (0x21...0x7E).contains(byte)
                }
            }
        }

        /// Skips parameters up to the value's end (RFC 9651 §4.2.3.2).
        mutating func skipParameters() -> Bool {
            while place < value.count {
                guard skip(0x3B) else { return false }
                _ = skipSome { $0 == 0x20 }
                guard let byte, byte == 0x2A || (0x61...0x7A).contains(byte),
                    skipSome(Self.isKey)
                else { return false }
                if skip(0x3D), !skipBareItem() { return false }
            }
            return true
        }

        static func isKey(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x2A, 0x2D, 0x2E, 0x5F, 0x61...0x7A: true
            default: ByteClass.isDigit(byte)
            }
        }

        /// Skips a string, or the characters of the other types (RFC 9651 §3.3).
        private mutating func skipBareItem() -> Bool {
            var ignored: [UInt8] = []
            if byte == 0x22 { return string(into: &ignored) }
            let isFound = skipSome { ByteClass.isToken($0) || ":/?@=".utf8.contains($0) }
            // A display string is a string after "%" (RFC 9651 §3.3.8).
            guard byte == 0x22 else { return isFound }
            return value[place - 1] == 0x25 && string(into: &ignored)
        }
    }
}
