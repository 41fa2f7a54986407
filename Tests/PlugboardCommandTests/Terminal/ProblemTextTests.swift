import PlugHTTP
import Testing

@testable import PlugboardCommand

@Suite("Texts of problems")
struct ProblemTextTests {
    private func lines(_ detail: String?, _ errors: [(String, String)]) -> [String] {
        let errors = errors.map { Problem.FieldError(pointer: $0.0, detail: $0.1) }
        return ProblemText.lines(
            of: Problem(
                status: .unprocessableContent,
                detail: detail,
                errors: errors.isEmpty ? nil : errors
            )
        )
    }

    @Test("each text is printed once")
    func once() {
        let title = "422 Unprocessable Content"
        #expect(lines(nil, []) == [title])
        #expect(lines("too many", []) == ["\(title): too many"])
        #expect(lines("/a: no rule", [("/a", "no rule")]) == ["\(title): /a: no rule"])
        #expect(lines("line 1: no JSON", [("", "no JSON")]) == ["\(title): line 1: no JSON"])
        #expect(lines("/a: x; /b: y", [("/a", "x"), ("/b", "y")]) == ["\(title): /a: x; /b: y"])
        // A long list's beginning is the detail.
        #expect(lines("/a: x; …", [("/a", "x"), ("/b", "y")]) == [title, "/a: x", "/b: y"])
        #expect(
            lines("the plan is invalid", [("/split", "no parts")])
                == ["\(title): the plan is invalid", "/split: no parts"]
        )
    }
}
