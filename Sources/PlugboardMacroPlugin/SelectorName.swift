/// The selector that Objective-C has for a Swift method with one parameter.
///
/// `openUrl(url:)` is `openUrlWithUrl:`, `show(_:)` is `show:`. No "With" is before or after a
/// preposition: `move(toPoint:)` is `moveToPoint:`, `moveTo(point:)` is `moveToPoint:`.
enum SelectorName {
    /// The compiler's prepositions.
    private static let prepositions: Set<String> = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following",
        "for", "from", "given", "in", "including", "inside", "into", "matching", "of", "on",
        "passing", "preceding", "since", "to", "until", "using", "via", "when", "with", "within",
    ]

    /// Returns the selector of a method with its parameter's label; nil for `_`.
    static func selector(_ method: String, label: String?) -> String {
        guard let label, let first = label.first else { return method + ":" }
        let isJoined =
            isPreposition(firstWord(of: label)) || isPreposition(lastWord(of: method))
        return method + (isJoined ? "" : "With") + first.uppercased() + label.dropFirst() + ":"
    }

    private static func isPreposition(_ word: Substring) -> Bool {
        prepositions.contains(word.lowercased())
    }

    /// Returns a camel-case name's first word, which ends before its next capital letter.
    private static func firstWord(of name: String) -> Substring {
        let start = name.drop { $0.isUppercase }
        let rest = start.prefix { !$0.isUppercase && $0 != "_" }
        return name[name.startIndex..<rest.endIndex]
    }

    private static func lastWord(of name: String) -> Substring {
        guard let last = name.lastIndex(where: { $0.isUppercase || $0 == "_" }) else {
            return name[...]
        }
        return name[last...].drop { $0 == "_" }
    }
}
