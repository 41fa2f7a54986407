import HTTPTypes
import PlugHTTP

/// What photos' actions ask of their input beyond its type, told by the member's name.
enum Validation {
    static func title(_ title: String) throws -> String {
        guard (1...200).contains(title.count) else {
            throw invalid("/title", "expected 1 to 200 characters")
        }
        return title
    }

    static func limit(_ limit: Int?) throws -> Int {
        guard let limit else { return 100 }
        guard (1...100).contains(limit) else { throw invalid("/limit", "expected 1 to 100") }
        return limit
    }

    static func user(_ user: String?) throws -> String? {
        guard let user else { return nil }
        guard (1...100).contains(user.count) else {
            throw invalid("/user", "expected 1 to 100 characters")
        }
        return user
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
