import HTTPSyntax

/// A path with some named segments: `/photos/{id}/like`.
package struct PathTemplate: Sendable, Hashable {
    /// The part between two slashes.
    package enum Segment: Sendable, Hashable {
        /// A fixed text, not percent-encoded.
        case literal(String)
        /// A named value.
        case capture(String)
    }

    /// The segments; none for `/`.
    package let segments: [Segment]
    /// The literals' bytes in a path's normal form; nil for each capture.
    ///
    /// Stored, since comparing a path with a String's bytes took five times the instructions.
    package let literals: [[UInt8]?]

    /// The text of the template.
    package let description: String

    /// Parses a template.
    ///
    /// - Throws: ``Invalid``, with the rule that the text breaks.
    package init(_ text: String) throws(Invalid) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/") else {
            throw Invalid(text, "it must start with \"/\"")
        }
        guard bytes.count > 1 else {
            self.init(segments: [], text: text)
            return
        }
        var segments: [Segment] = []
        for part in bytes.dropFirst()
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            let segment = try Segment(part, of: text)
            if case .capture(let name) = segment, segments.contains(segment) {
                throw Invalid(text, "{\(name)} is in it twice")
            }
            segments.append(segment)
        }
        self.init(segments: segments, text: text)
    }

    /// Creates a template without captures, in which each text is one segment.
    init(literals: [String]) {
        self.init(
            segments: literals.map(Segment.literal),
            text: literals.isEmpty ? "/" : literals.reduce("") { $0 + "/" + $1 }
        )
    }

    private init(segments: [Segment], text: String) {
        self.segments = segments
        description = text
        literals = segments.map { segment in
            if case .literal(let text) = segment {
                Array(PercentCoding.segment(text).utf8)
            } else {
                nil
            }
        }
    }

    /// The names of the captures, in order.
    package var names: [String] {
        segments.compactMap { if case .capture(let name) = $0 { name } else { nil } }
    }

    /// The only path that it matches, in normal form; nil if it has captures.
    package var staticPath: String? {
        guard names.isEmpty else { return nil }
        guard !literals.isEmpty else { return "/" }
        return literals.reduce("") { $0 + "/" + String(decoding: $1 ?? [], as: UTF8.self) }
    }

    /// Returns whether both templates match the same paths, so that their order can't decide.
    package func conflicts(with other: PathTemplate) -> Bool {
        literals == other.literals
    }

    /// Returns whether the server tries this template first.
    ///
    /// At the first difference it has a literal, or a literal whose bytes sort first.
    ///
    /// In this order, `/photos/new` is tried before `/photos/{id}`.
    package func precedes(_ other: PathTemplate) -> Bool {
        for (own, others) in zip(literals, other.literals) where own != others {
            switch (own, others) {
            case (let own?, let others?): return own.lexicographicallyPrecedes(others)
            case (let own, nil): return own != nil
            case (nil, _): return false
            }
        }
        return segments.count < other.segments.count
    }
}

extension PathTemplate {
    /// The error of an invalid path template.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        /// The text and the rule that it breaks.
        package let description: String

        init(_ text: String, _ reason: String) {
            description = "The path \"\(text)\" cannot be used: \(reason)."
        }
    }
}

extension PathTemplate: CustomStringConvertible {}

extension PathTemplate.Segment {
    /// Parses bytes: parsing Characters took ten times the instructions at each start.
    fileprivate init(_ bytes: ArraySlice<UInt8>, of text: String) throws(PathTemplate.Invalid) {
        guard let first = bytes.first, let last = bytes.last else {
            throw PathTemplate.Invalid(text, "it has an empty segment")
        }
        if first == UInt8(ascii: "{"), last == UInt8(ascii: "}") {
            let name = bytes.dropFirst().dropLast()
            let isName = name.allSatisfy { byte in
                ByteClass.isUnreserved(byte) && byte != UInt8(ascii: ".")
                    && byte != UInt8(ascii: "~")
            }
            guard isName, !name.isEmpty else {
                throw PathTemplate.Invalid(
                    text,
                    "\(String(decoding: bytes, as: UTF8.self)) isn't a name of letters, digits, "
                        + "\"-\" and \"_\" in braces"
                )
            }
            self = .capture(String(decoding: name, as: UTF8.self))
            return
        }
        let part = String(decoding: bytes, as: UTF8.self)
        guard part != ".", part != ".." else {
            throw PathTemplate.Invalid(text, "\".\" and \"..\" are resolved away by clients")
        }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "}"):
                throw PathTemplate.Invalid(
                    text,
                    "{name} must be a whole segment, unlike \(part)"
                )
            case UInt8(ascii: "?"), UInt8(ascii: "#"):
                throw PathTemplate.Invalid(text, "it can't contain a query or a fragment")
            case ...0x20, 0x7F, UInt8(ascii: "%"):
                throw PathTemplate.Invalid(
                    text,
                    "write its characters as they are, without \"%\" or spaces"
                )
            default: break
            }
        }
        self = .literal(part)
    }
}
