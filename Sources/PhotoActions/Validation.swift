import HTTPTypes
import PlugHTTP

/// What photos' actions ask of their input beyond its type, told by the member's name.
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

    /// A text of so many characters, of four bytes each on average.
    ///
    /// One character alone may have a million bytes. A NUL would end the text in the database.
    private static func text(
        _ text: String,
        of pointer: String,
        atMost count: Int
    ) throws -> String {
        // A character has a byte or more, so that most texts' characters needn't be told apart.
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
