import JSONCodec

/// What the texts and numbers beside a document may be in an archive.
///
/// Those of requests are checked where they come from, by their inputs' constraints, as tokens are made
/// and as certificates make somebody known; who makes a change is held against it once more then, so
/// that no store has what its own archive couldn't bring back.
enum KeptText {
    /// The most bytes of who somebody is, of their name and their address: no token's fields have more.
    static let greatestName = 8 << 10
    /// The most bytes of what a row of the audit says that was, or is: two patches of overrides, and
    /// what goes with them.
    static let greatestRow = 1 << 20
    /// The greatest number of a row or a revision: as far as JSON tells one from the next (RFC 8259 §6).
    static let greatestNumber = 1 << 53 - 1
    /// From 1970 to the end of the year 9999, which is as far as a timestamp tells (RFC 3339).
    static let times = 0...253_402_300_799

    /// Whether two texts are the same, byte by byte: for `==` a letter is also another that is written
    /// alike (Unicode's canonical equivalence).
    static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.utf8.elementsEqual(other.utf8)
    }

    /// Checks who somebody is, or what they are called: one line without control characters.
    static func check(line text: String, at pointer: String) throws(JSONTypeError) {
        guard isLine(text) else {
            throw JSONTypeError(
                pointer: pointer,
                message:
                    "expected a line of \(greatestName >> 10) KiB at most, no control characters"
            )
        }
    }

    /// Whether a text is one line of that size without control characters.
    fileprivate static func isLine(_ text: String) -> Bool {
        text.utf8.count <= greatestName && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// Checks the name of a document or of an environment.
    static func check(name text: String, at pointer: String) throws(JSONTypeError) {
        guard DocumentKey.isName(text) else {
            throw JSONTypeError(pointer: pointer, message: "expected \(DocumentKey.shape)")
        }
    }

    /// Checks seconds since 1970.
    static func check(time: Int, at pointer: String) throws(JSONTypeError) {
        guard times.contains(time) else {
            throw JSONTypeError(
                pointer: pointer,
                message: "out of range: \(times.lowerBound) to \(times.upperBound)"
            )
        }
    }

    /// Checks that a text is empty, where there is nothing that it could name.
    static func check(nothing text: String, at pointer: String) throws(JSONTypeError) {
        guard text.isEmpty else {
            throw JSONTypeError(pointer: pointer, message: "expected an empty text")
        }
    }
}

extension Author {
    /// Whether rows that tell of them can be archived, and taken over again.
    package var canBeKept: Bool { [id, name, address].allSatisfy(KeptText.isLine) }
}
