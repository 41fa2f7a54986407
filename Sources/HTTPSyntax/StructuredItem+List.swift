/// An item of a list with its parameters (RFC 9651 §3.1).
package struct StructuredListItem: Hashable, Sendable {
    /// The item's text: a token, a number, or a string without its quotes.
    package var text: String
    /// The parameters' texts; a parameter without a value has an empty one.
    package var parameters: [String: String]
}

extension StructuredItem {
    /// Returns the items of a list, in order; nil for an invalid list, or one of over `maximum` items.
    ///
    /// Inner lists and display strings aren't items here.
    package static func list(_ value: ByteSpan, maximum: Int) -> [StructuredListItem]? {
        var parser = Parser(value)
        var items: [StructuredListItem] = []
        while true {
            guard items.count < maximum, let item = parser.listItem() else { return nil }
            items.append(item)
            parser.skipSpace()
            guard parser.byte != nil else { return items }
            guard parser.skip(0x2C) else { return nil }
            parser.skipSpace()
        }
    }
}

extension StructuredItem.Parser {
    fileprivate mutating func skipSpace() { _ = skipSome { $0 == 0x20 || $0 == 0x09 } }

    /// Parses an item with its parameters; of two with one key the last wins (§4.2.3.2).
    fileprivate mutating func listItem() -> StructuredListItem? {
        guard let text = bareText() else { return nil }
        var item = StructuredListItem(text: text, parameters: [:])
        while skip(0x3B) {
            _ = skipSome { $0 == 0x20 }
            let start = place
            guard let byte, byte == 0x2A || (0x61...0x7A).contains(byte), skipSome(Self.isKey)
            else {
                return nil
            }
            let key = String(decoding: value.slice(start, place), as: UTF8.self)
            guard skip(0x3D) else {
                item.parameters[key] = ""
                continue
            }
            guard let text = bareText() else { return nil }
            item.parameters[key] = text
        }
        return item
    }

    /// Parses a string, or the characters of a token, a number, a Boolean, bytes or a date.
    private mutating func bareText() -> String? {
        if byte == 0x22 {
            var text: [UInt8] = []
            return string(into: &text) ? String(decoding: text, as: UTF8.self) : nil
        }
        let start = place
        guard skipSome({ ByteClass.isToken($0) || ":/?@=".utf8.contains($0) }) else { return nil }
        return String(decoding: value.slice(start, place), as: UTF8.self)
    }
}
