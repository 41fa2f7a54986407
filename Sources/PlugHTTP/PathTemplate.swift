import HTTPSyntax

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
    /// The literals' bytes in a path's normal form, nil for each capture.
    ///
    /// Stored, since comparing a path with a String's own bytes took five times the instructions.
    package let literals: [[UInt8]?]

    /// The text of the template.
    package let description: String

    /// A template from its text.
    ///
    /// - Throws: ``Invalid``, which says what to mend.
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

    /// A template without captures; each text is one segment, whatever its characters are.
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

    /// The names of its values, in order.
    package var names: [String] {
        segments.compactMap { if case .capture(let name) = $0 { name } else { nil } }
    }

    /// The one path that it matches, in normal form; nil if it has values to capture.
    package var staticPath: String? {
        guard names.isEmpty else { return nil }
        guard !literals.isEmpty else { return "/" }
        return literals.reduce("") { $0 + "/" + String(decoding: $1 ?? [], as: UTF8.self) }
    }

    /// Whether each path that one of them matches is matched by the other too, so that no order of
    /// trying helps.
    package func conflicts(with other: PathTemplate) -> Bool {
        literals == other.literals
    }

    /// Whether it is to be tried before another one: where they first differ it has a literal, or
    /// literals whose bytes sort first.
    ///
    /// Tried in this order, `/photos/new` gets its path before `/photos/{id}` does.
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
    /// The error of a text that is no path template.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        /// The text and what is wrong with it.
        package let description: String

        init(_ text: String, _ reason: String) {
            description = "The path \"\(text)\" cannot be used: \(reason)."
        }
    }
}

extension PathTemplate: CustomStringConvertible {}

extension PathTemplate.Segment {
    /// Read by its bytes: by Characters it took ten times the instructions, at each start.
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
                    "\(String(decoding: bytes, as: UTF8.self)) is no name of letters, digits, "
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
                throw PathTemplate.Invalid(text, "it can hold neither a query nor a fragment")
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
