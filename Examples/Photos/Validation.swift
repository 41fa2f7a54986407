import PlugHTTP

/// Checks of the photos' inputs beyond their types; each error has the member's pointer.
enum Validation {
    static func title(_ title: String) throws -> String {
        try text(title, of: "/title", atMost: 200)
    }

    static func limit(_ limit: Int?) throws -> Int {
        guard let limit else { return 100 }
        guard (1...100).contains(limit) else { throw invalid("/limit", "expected 1 to 100") }
        return limit
    }

    static func user(_ user: String?) throws -> String? {
        try user.map { try text($0, of: "/user", atMost: 100) }
    }

    /// Checks that a text has 1 to `count` characters, of at most four bytes on average.
    ///
    /// A single character may have a million bytes. A NUL would end the text in the database.
    private static func text(
        _ text: String,
        of pointer: String,
        atMost count: Int
    ) throws -> String {
        // A character has at least one byte, so most texts need no count of characters.
        let bytes = text.utf8.count
        guard bytes > 0, bytes <= count || (bytes <= 4 * count && text.count <= count) else {
            throw invalid(pointer, "expected 1 to \(count) characters")
        }
        guard !text.utf8.contains(0) else { throw invalid(pointer, "expected no NUL") }
        return text
    }

    static func missing(_ id: Int) -> Problem { .notFound("there is no photo \(id)") }

    private static func invalid(_ pointer: String, _ detail: String) -> Problem {
        Problem(
            status: .unprocessableContent,
            detail: "\(pointer): \(detail)",
            errors: [.init(pointer: pointer, detail: detail)]
        )
    }
}
