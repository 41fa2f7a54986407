import JSONCodec
import System

/// The limits of the texts and numbers in an archive.
///
/// The inputs' constraints check requests, and tokens and certificates are checked when they are
/// created. A change's author is checked again, so that no store contains a value that its own
/// archive can't import.
enum StoredTextLimits {
    /// The most bytes of an author's number, name or address: no token has longer fields.
    static let maximumName = 8 << 10
    /// The most bytes of a row's previous or new value: two patches of overrides and their
    /// metadata.
    static let maximumRow = 1 << 20
    /// The greatest number of a row or revision: the greatest integer exact in JSON (RFC 8259 §6).
    static let maximumNumber = 1 << 53 - 1
    /// From 1970 to the end of the year 9999, the range of a timestamp (RFC 3339).
    static let times = 0...253_402_300_799

    /// Whether two texts have the same bytes.
    ///
    /// `==` also accepts other bytes that are canonically equivalent (Unicode).
    static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.utf8.elementsEqual(other.utf8)
    }

    /// Checks an author's number, name or address: one line without control characters.
    ///
    /// Line separators would fake lines in a log, and bidirectional controls reorder its text
    /// (CVE-2021-42574).
    static func check(line text: String, at pointer: String) throws(JSONTypeError) {
        guard isLine(text) else {
            throw JSONTypeError(
                pointer: pointer,
                message:
                    "expected a line of \(maximumName >> 10) KiB at most: remove control "
                    + "characters, line separators and bidirectional controls"
            )
        }
    }

    /// Whether a text is a line within the limit that a terminal shows as it is.
    fileprivate static func isLine(_ text: String) -> Bool {
        text.utf8.count <= maximumName && TerminalText.isLine(text)
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

    /// Checks an author's client certificate, if there is one.
    static func check(
        _ certificate: AuthorCertificate?,
        at pointer: String
    ) throws(JSONTypeError) {
        guard let certificate else { return }
        try check(line: certificate.issuer, at: pointer + "/issuer")
        try check(line: certificate.serial, at: pointer + "/serial")
        try check(line: certificate.authority, at: pointer + "/authority")
        try check(time: certificate.end, at: pointer + "/end")
    }

    /// Checks that a text is empty, in records where it has no meaning.
    static func check(nothing text: String, at pointer: String) throws(JSONTypeError) {
        guard text.isEmpty else {
            throw JSONTypeError(pointer: pointer, message: "expected an empty text")
        }
    }
}

extension Author {
    /// Whether the author's rows can be exported and imported.
    package var canBeKept: Bool { [id, name, address].allSatisfy(StoredTextLimits.isLine) }
}
