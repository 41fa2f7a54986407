package import JSONCodec

/// The values of header fields that carry members of an input or output.
package enum FieldText {
    /// Returns a field's value; an array becomes a list, quoted where necessary (RFC 9110 §5.6.1).
    ///
    /// The value of an empty array is empty. Nil for a value that a field would change: whitespace
    /// around it, and control characters (RFC 9110 §5.5).
    package static func text(of value: JSON) -> String? {
        let elements = (value.array ?? [value]).map(scalar)
        let texts = elements.compactMap(\.self)
        guard texts.count == elements.count else { return nil }
        let text =
            value.array == nil ? texts.joined() : texts.map(quoted).joined(separator: ", ")
        let bytes = text.utf8
        let isBlank = { (byte: UInt8?) in byte == 0x20 || byte == 0x09 }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }), !isBlank(bytes.first),
            !isBlank(bytes.last)
        else { return nil }
        return text
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x2C
        }
        guard !isPlain || text.isEmpty else { return text }
        // Scalars: a quote with a combining accent is a single other `Character`.
        let escaped = text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { view, scalar in
            if scalar == "\"" || scalar == "\\" { view.append("\\") }
            view.append(scalar)
        }
        return "\"" + String(escaped) + "\""
    }

    /// Returns the text of a scalar; nil for null, an array and an object.
    package static func scalar(_ value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
