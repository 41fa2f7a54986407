/// A dotted path into a context, parsed: `user.plan`.
struct Path: Sendable {
    /// Values that belong to the evaluation, not to the context.
    enum Special { case flagKey, timestamp }

    let text: String
    let names: [Name]
    let special: Special?

    init(_ text: String) {
        self.text = text
        names = Path.names(text).map { Name($0) }
        special =
            switch text {
            case "$flagd.flagKey": .flagKey
            case "$flagd.timestamp": .timestamp
            default: nil
            }
    }

    /// The same path relative to an element, without special names.
    var withoutSpecial: Path { Path(text: text, names: names, special: nil) }

    private init(text: String, names: [Name], special: Special?) {
        self.text = text
        self.names = names
        self.special = special
    }

    /// Returns the names along a path; none for the empty path.
    static func names(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }
}

extension Value {
    /// Returns the value at a path; nil if there is none.
    func value(at names: [Name]) -> Value? {
        if names.count == 1, case .members(let members) = self { return members[names[0]] }
        var value = self
        for name in names {
            switch value {
            case .members(let members):
                guard let member = members[name] else { return nil }
                value = member
            case .list(let list):
                guard let place = Int(name.text), list.elements.indices.contains(place),
                    String(place) == name.text
                else { return nil }
                value = list.elements[place]
            case .null, .bool, .number, .text: return nil
            }
        }
        return value
    }
}
