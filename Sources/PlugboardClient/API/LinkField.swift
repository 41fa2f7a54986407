/// The field `Link` (RFC 8288 §3): `<https://a/?page=2>; rel="next", <…>; rel="last"`.
enum LinkField {
    /// Returns the target of the first link with a relation.
    static func target(of relation: String, in field: String) -> String? {
        var rest = Substring(field)
        while let start = rest.firstIndex(of: "<") {
            guard let end = rest[start...].firstIndex(of: ">") else { return nil }
            let target = rest[rest.index(after: start)..<end]
            let (parameters, remainder) = Self.parameters(rest[rest.index(after: end)...])
            rest = remainder
            // Only the first `rel` counts (RFC 8288 §3.3).
            let relations = parameters.first { $0.name.lowercased() == "rel" }?.value ?? ""
            if relations.split(separator: " ").contains(where: { $0.lowercased() == relation }) {
                return String(target)
            }
        }
        return nil
    }

    /// Returns a link's parameters, and the text after the comma that ends the link.
    private static func parameters(
        _ text: Substring
    ) -> (parameters: [(name: String, value: String)], rest: Substring) {
        var parameters: [(name: String, value: String)] = []
        var name = "", value = ""
        var isValue = false, isQuoted = false, isEscaped = false
        func add() {
            let name = name.filter { $0 != " " && $0 != "\t" }
            if !name.isEmpty { parameters.append((name, value)) }
        }
        var index = text.startIndex
        loop: while index < text.endIndex {
            let character = text[index]
            index = text.index(after: index)
            switch character {
            case _ where isEscaped:
                value.append(character)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"" where isValue: isQuoted.toggle()
            case _ where isQuoted: value.append(character)
            case ",": break loop
            case ";":
                add()
                (name, value, isValue) = ("", "", false)
            case "=" where !isValue: isValue = true
            case " ", "\t": break
            default: if isValue { value.append(character) } else { name.append(character) }
            }
        }
        add()
        return (parameters, text[index...])
    }
}
