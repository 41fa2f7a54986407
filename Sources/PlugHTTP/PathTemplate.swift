/// A path some of whose segments are named values: `/photos/{id}/like`.
package struct PathTemplate: Sendable, Hashable {
    /// What stands between two slashes.
    package enum Segment: Sendable, Hashable {
        /// A text that a path must have there, not percent-encoded.
        case literal(String)
        /// A value and its name.
        case capture(String)
    }

    /// The segments; none for `/`.
    package let segments: [Segment]
    /// The literals' bytes, nil for each capture: what a path is compared with.
    ///
    /// Kept, since comparing with a String's own bytes took five times the instructions.
    let literals: [[UInt8]?]

    /// A template from its text.
    ///
    /// - Throws: ``Invalid``, which says what to mend.
    package init(_ text: String) throws(Invalid) {
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw Invalid(text, "it must start with \"/\"")
        }
        guard text != "/" else {
            self.init(segments: [])
            return
        }
        var segments: [Segment] = []
        var names: Set<String> = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let segment = try Segment(part, of: text)
            if case .capture(let name) = segment, !names.insert(name).inserted {
                throw Invalid(text, "{\(name)} is in it twice")
            }
            segments.append(segment)
        }
        self.init(segments: segments)
    }

    /// A template without captures; each text is one segment, whatever its characters are.
    init(literals: [String]) {
        self.init(segments: literals.map(Segment.literal))
    }

    private init(segments: [Segment]) {
        self.segments = segments
        literals = segments.map { segment in
            if case .literal(let text) = segment { Array(text.utf8) } else { nil }
        }
    }

    /// The names of its values, in order.
    package var names: [String] {
        segments.compactMap { if case .capture(let name) = $0 { name } else { nil } }
    }

    /// The one path that it matches, percent-encoded, where it has no values to capture.
    package var staticPath: String? {
        guard names.isEmpty else { return nil }
        return "/" + segments.map(\.pathText).joined(separator: "/")
    }

    /// Whether each path that one of them matches is matched by the other too, so that no order of
    /// trying helps.
    package func conflicts(with other: PathTemplate) -> Bool {
        shape == other.shape
    }

    /// Whether it is to be tried before another one: where they first differ it has a literal, or
    /// literals that sort first.
    ///
    /// Tried in this order, `/photos/new` gets its path before `/photos/{id}` does.
    package func precedes(_ other: PathTemplate) -> Bool {
        for (own, others) in zip(shape, other.shape) where own != others {
            switch (own, others) {
            case (let own?, let others?): return own < others
            case (let own, nil): return own != nil
            case (nil, _): return false
            }
        }
        return segments.count < other.segments.count
    }

    /// The literals, with nil for each capture.
    private var shape: [String?] {
        segments.map { if case .literal(let text) = $0 { text } else { nil } }
    }
}

extension PathTemplate {
    /// The error of a text that is no path template.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        /// The text and what is wrong with it.
        package let description: String

        init(_ text: String, _ reason: String) {
            description = "The path \"\(text)\" cannot be used: \(reason)."
        }
    }
}

extension PathTemplate: CustomStringConvertible {
    /// The text of the template.
    package var description: String { "/" + segments.map(\.description).joined(separator: "/") }
}

extension PathTemplate.Segment: CustomStringConvertible {
    fileprivate init(_ part: Substring, of text: String) throws(PathTemplate.Invalid) {
        guard !part.isEmpty else {
            throw PathTemplate.Invalid(text, "it has an empty segment")
        }
        guard part != ".", part != ".." else {
            throw PathTemplate.Invalid(text, "\".\" and \"..\" are resolved away by clients")
        }
        if part.hasPrefix("{"), part.hasSuffix("}") {
            let name = part.dropFirst().dropLast()
            let isName = name.utf8.allSatisfy { byte in
                PercentCoding.isUnreserved(byte) && byte != UInt8(ascii: ".")
                    && byte != UInt8(ascii: "~")
            }
            guard isName, !name.isEmpty else {
                throw PathTemplate.Invalid(
                    text,
                    "\(part) is no name of letters, digits, \"-\" and \"_\" in braces"
                )
            }
            self = .capture(String(name))
            return
        }
        guard !part.contains(where: { $0 == "{" || $0 == "}" }) else {
            throw PathTemplate.Invalid(text, "{name} must be a whole segment, unlike \(part)")
        }
        guard !part.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw PathTemplate.Invalid(text, "it can hold neither a query nor a fragment")
        }
        let isPlain = part.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7F && scalar != "%"
        }
        guard isPlain else {
            throw PathTemplate.Invalid(
                text,
                "write its characters as they are, without \"%\" or spaces"
            )
        }
        self = .literal(String(part))
    }

    /// The text between the slashes of a template.
    package var description: String {
        switch self {
        case .literal(let text): text
        case .capture(let name): "{\(name)}"
        }
    }

    fileprivate var pathText: String {
        switch self {
        case .literal(let text): PercentCoding.encode(text)
        case .capture(let name): "{\(name)}"
        }
    }
}
