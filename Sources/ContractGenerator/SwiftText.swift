/// Texts of a description as literals and comments of Swift.
enum SwiftText {
    /// The maximum length of a comment in scalars.
    private static let maximumComment = 4_000
    /// The maximum length of a comment's line in characters.
    private static let width = 100

    /// Returns a string literal, in which only printable characters are unescaped.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case _ where isPrintable(scalar): literal.unicodeScalars.append(scalar)
            default: literal += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return literal + "\""
    }

    /// Returns a text on one line, without control characters, for messages and comments.
    static func line(_ text: String, limit: Int = 200) -> String {
        var line = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            line.unicodeScalars.append(isPrintable(scalar) ? scalar : " ")
        }
        return line
    }

    /// Returns the lines of a documentation comment; an empty list for a blank text.
    ///
    /// Each line begins with `///`. So no text can end the comment.
    static func comment(_ text: String, indent: String) -> [String] {
        var lines: [String] = []
        let cut = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumComment)))
        for part in cut.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = line(String(part), limit: maximumComment).split(separator: " ")
            guard !words.isEmpty else {
                if lines.last != "" { lines.append("") }
                continue
            }
            var current = ""
            for word in words {
                if !current.isEmpty, indent.count + current.count + word.count > width {
                    lines.append(current)
                    current = ""
                }
                current += current.isEmpty ? String(word) : " " + word
            }
            lines.append(current)
        }
        while lines.first == "" { lines.removeFirst() }
        while lines.last == "" { lines.removeLast() }
        return lines.map { $0.isEmpty ? "\(indent)///" : "\(indent)/// \($0)" }
    }

    /// Whether a scalar is shown as it is: no control, no format character that reorders text (the
    /// attack "Trojan Source"), no line separator.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }
}
