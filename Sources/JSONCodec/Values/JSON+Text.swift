/// The layout of JSON text.
struct JSONLayout {
    /// Whether each value is on its own line, indented by two more spaces than its container.
    var isPretty = false
    /// Whether members are sorted by the bytes of their names; otherwise they remain in order.
    var sortsMembers = false
}

extension JSON {
    /// Returns the value as UTF-8 text, with members in order.
    ///
    /// - Parameter pretty: whether each value is on its own line, indented by two spaces.
    /// - Returns: the text, without a final line break.
    public func encoded(pretty: Bool = false) -> [UInt8] { encoded(JSONLayout(isPretty: pretty)) }

    func encoded(_ layout: JSONLayout) -> [UInt8] {
        var bytes: [UInt8] = []
        write(layout, indent: 0, to: &bytes)
        return bytes
    }

    private func write(_ layout: JSONLayout, indent: Int, to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number): bytes.append(contentsOf: number.text.utf8)
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements):
            Self.list("[", "]", elements, layout, indent, to: &bytes) { element, bytes in
                element.write(layout, indent: indent + 1, to: &bytes)
            }
        case .object(let object):
            var members = Array(object)
            if layout.sortsMembers {
                members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            }
            Self.list("{", "}", members, layout, indent, to: &bytes) { member, bytes in
                Self.write(member.name, to: &bytes)
                bytes.append(contentsOf: (layout.isPretty ? ": " : ":").utf8)
                member.value.write(layout, indent: indent + 1, to: &bytes)
            }
        }
    }

    private static func list<Item>(
        _ open: String,
        _ close: String,
        _ items: [Item],
        _ layout: JSONLayout,
        _ indent: Int,
        to bytes: inout [UInt8],
        _ write: (Item, inout [UInt8]) -> Void
    ) {
        func newLine(_ indent: Int, _ bytes: inout [UInt8]) {
            guard layout.isPretty, !items.isEmpty else { return }
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * 2))
        }
        bytes.append(contentsOf: open.utf8)
        for (place, item) in items.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            newLine(indent + 1, &bytes)
            write(item, &bytes)
        }
        newLine(indent, &bytes)
        bytes.append(contentsOf: close.utf8)
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { source in
            let escapes = Escaping.count(source)
            let room = source.count + escapes * 5 + 2
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { buffer in
                guard let start = buffer.baseAddress else { return }
                let count = Escaping.quote(source, escapes, to: start)
                bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
            }
        }
    }
}
