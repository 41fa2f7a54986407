/// Text that is safe to print: a terminal obeys none of it, and a reader sees all of it.
///
/// Names, messages and errors come from documents, clients and servers. Their control characters
/// could erase the screen, forge lines, or reorder text (CVE-2021-42574).
package enum TerminalText {
    /// Returns a text as one line: control characters are escaped as in JSON.
    package static func line(_ text: String) -> String { escaped(text) { _ in false } }

    /// Returns a text of several lines: line feeds and tabs stay.
    package static func lines(_ text: String) -> String {
        escaped(text) { $0 == "\n" || $0 == "\t" }
    }

    /// Appends a character, escaped if a terminal would obey it.
    package static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        guard isControl(scalar) else { return text.unicodeScalars.append(scalar) }
        switch scalar {
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        default:
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }

    /// Whether a text is one line that a terminal shows as it is.
    package static func isLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: isControl)
    }

    private static func escaped(
        _ text: String,
        except isKept: (Unicode.Scalar) -> Bool
    ) -> String {
        guard text.unicodeScalars.contains(where: { isControl($0) && !isKept($0) }) else {
            return text
        }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            if isKept(scalar) {
                escaped.unicodeScalars.append(scalar)
            } else {
                append(scalar, to: &escaped)
            }
        }
    }

    /// Whether a terminal obeys a character: C0, DEL, C1, line and paragraph separators, and the
    /// controls of the bidirectional algorithm.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        switch scalar.value {
        case 0x7F...0x9F, 0x2028, 0x2029: return true
        default: return scalar.properties.isBidiControl
        }
    }
}
