/// Identifiers of Swift from the names of a description.
enum SwiftName {
    /// The maximum length in characters.
    private static let maximumLength = 80

    /// Returns a type's name: `pull-request` is `PullRequest`.
    ///
    /// A name of Swift or of this package gets the suffix `Model`: a type `Error` would hide
    /// Swift's.
    static func type(_ text: String) -> String {
        let name = words(text).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let valid = leading(name, "Type")
        return reserved.contains(valid) ? valid + "Model" : valid
    }

    /// Returns a member's or case's name, without back quotes: `photo_urls` is `photoUrls`.
    static func member(_ text: String) -> String {
        let parts = words(text)
        guard let first = parts.first else { return "value" }
        let rest = parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let name = leading(lowered(first) + rest.joined(), "value")
        return notMembers.contains(name) ? name + "_" : name
    }

    /// Returns an identifier as it is written: keywords in back quotes.
    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns a name that `used` doesn't have, and adds it.
    static func unique(_ name: String, _ used: inout Set<String>) -> String {
        guard !used.insert(name).inserted else { return name }
        // The numbers in use mostly have no gap, so a bisection finds the next one: a description may
        // have a million equal names.
        var (last, free) = (1, 2)
        while used.contains("\(name)\(free)") { (last, free) = (free, free * 2) }
        while free - last > 1 {
            let middle = (last + free) / 2
            if used.contains("\(name)\(middle)") { last = middle } else { free = middle }
        }
        used.insert("\(name)\(free)")
        return "\(name)\(free)"
    }

    /// Splits a text into words of letters and digits: `+1` is `plus1`.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var current = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars.prefix(maximumLength))
        if scalars.count > 1, ("0"..."9").contains(scalars[1]) {
            if scalars[0] == "+" { words.append("plus") }
            if scalars[0] == "-" { words.append("minus") }
        }
        for scalar in scalars {
            if isLetter(scalar) || ("0"..."9").contains(scalar) {
                current.append(scalar)
            } else if !current.isEmpty {
                words.append(String(current))
                current = String.UnicodeScalarView()
            }
        }
        if !current.isEmpty { words.append(String(current)) }
        // MAX_SIZE is maxSize, and HTMLUrl stays HTMLUrl.
        let isShouted = words.joined().allSatisfy { !$0.isLowercase }
        return isShouted && words.joined().count > 1 ? words.map { $0.lowercased() } : words
    }

    /// Returns a word with its leading capitals in lower case: `URL` is `url`, `HTMLPage` is
    /// `htmlPage`.
    private static func lowered(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        if capitals.count <= 1 || capitals.count == word.count {
            return capitals.lowercased() + word.dropFirst(capitals.count)
        }
        return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
    }

    private static func leading(_ name: String, _ fallback: String) -> String {
        guard let first = name.unicodeScalars.first else { return fallback }
        return ("0"..."9").contains(first) ? fallback + name : name
    }

    /// Whether a scalar is a letter of the ranges that identifiers of Swift may begin with.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A: return true
        case 0xC0...0x2FF where scalar.value != 0xD7 && scalar.value != 0xF7: break
        case 0x370...0x167F, 0x1E00...0x1FFF, 0x3041...0xD7FF: break
        default: return false
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter: return true
        default: return false
        }
    }

    /// Names that can't be a member's, even in back quotes, or that would hide one of the file's.
    private static let notMembers: Set<String> = [
        "self", "Self", "Type", "Protocol", "init", "deinit", "subscript", "_", "container",
        "encode", "hash", "hashValue", "encoder", "decoder", "rawValue", "requestBody",
    ]

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "actor", "any", "as", "associatedtype", "async", "await",
        "borrowing", "break", "case", "catch", "class", "consume", "consuming", "continue", "copy",
        "default", "defer", "deinit", "discard", "do", "each", "else", "enum", "extension",
        "fallthrough", "false", "fileprivate", "for", "func", "get", "guard", "if", "import", "in",
        "indirect", "init", "inout", "internal", "is", "isolated", "lazy", "let", "macro",
        "mutating", "nil", "nonisolated", "nonmutating", "open", "operator", "optional", "override",
        "package", "postfix", "precedencegroup", "prefix", "private", "protocol", "public",
        "repeat", "required", "rethrows", "return", "self", "sending", "set", "some", "static",
        "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
        "unowned", "var", "weak", "where", "while", "yield",
    ]

    /// Types of Swift, Foundation and this package that contracts and their users write.
    static let reserved: Set<String> = [
        "API", "Action", "Actions", "ActionProtocol", "Any", "AnyObject", "Array", "AsyncSequence",
        "AsyncStream", "Bool", "Boxed", "Change", "Character", "Client", "ClientError", "Codable",
        "CodingKey", "CodingKeys", "Data", "Date", "Decimal", "Decodable", "Decoder",
        "DeclaredProblem", "Dictionary", "Double", "DELETE", "Encodable", "Encoder", "Endpoint",
        "Equatable", "Error", "EventStream", "Float", "Foundation", "Function", "GET",
        "HTTPField", "HTTPRequest", "HTTPResponse", "Hashable", "Hasher", "Identifiable", "Input",
        "InputWithBody", "Int", "Int16", "Int32", "Int64", "Int8", "JSON", "JSONLines", "Main",
        "MainActor", "Module", "MultipartForm", "Never", "Optional", "Output", "PATCH", "POST",
        "PUT", "Page", "Problem", "Protocol", "Query", "RequestBody", "RequiresIdempotencyKey",
        "ResponseBody", "Result", "Self", "Sendable", "Sequence", "ServerSentEvent", "Set",
        "String", "Substring", "Swift", "Task", "Type", "UInt", "UInt16", "UInt32", "UInt64",
        "UInt8", "URL", "UUID", "Void",
    ]
}
