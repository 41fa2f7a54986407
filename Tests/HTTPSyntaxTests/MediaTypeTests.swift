import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Media type (RFC 9110 §8.3.1)")
struct MediaTypeTests {
    private func within<Result>(_ text: String, _ body: (MediaType) -> Result) -> Result {
        GuardedBytes.with(text.utf8) { body(MediaType($0)) }
    }

    @Test(
        "JSON is application/json or has the suffix +json, in any case and with parameters",
        arguments: [
            ("application/json", true), ("APPLICATION/Json", true),
            ("application/json; charset=utf-8", true), ("application/json;", true),
            ("application/problem+json", true), ("a/b+JSON ;x=1", true), ("", false), (";", false),
            ("+json", false), ("json", false), ("application/jsonl", false),
            ("text/plain; x=application/json", false), ("application/json, text/plain", false),
        ]
    )
    func json(text: String, isJSON: Bool) {
        #expect(within(text, \.isJSON) == isJSON)
    }

    @Test(
        "a form is application/x-www-form-urlencoded, in any case and with parameters",
        arguments: [
            ("application/x-www-form-urlencoded", true),
            ("Application/X-WWW-Form-Urlencoded; charset=utf-8", true), ("", false),
            ("application/x", false), ("application/x-www-form-urlencode", false),
            ("multipart/form-data; x=application/x-www-form-urlencoded", false),
        ]
    )
    func form(text: String, isForm: Bool) {
        #expect(within(text, \.isForm) == isForm)
    }

    @Test("the essence of a type is in lower case, without parameters and white space")
    func essence() {
        #expect(MediaType.essence(of: " Text/HTML ; charset=utf-8") == "text/html")
        #expect(MediaType.essence(of: "a/b") == "a/b")
        #expect(MediaType.essence(of: "; a/b") == "")
    }

    @Test(
        "parameters end at a semicolon outside of quotes; empty ones are ignored",
        arguments: [
            ("a/b", []), ("a/b;", []), ("a/b; ; ", []), ("a/b;c=d ; e=f", ["c=d", "e=f"]),
            (#"a/b;c=";";d"#, [#"c=";""#, "d"]), (#"a/b;c="\"; e";d"#, [#"c="\"; e""#, "d"]),
            (#"a/b;c="d;e"#, [#"c="d;e"#]),
        ]
    )
    func parameters(text: String, expected: [String]) {
        let parameters = within(text) { type in
            var parameters: [String] = []
            type.forEachParameter {
                parameters.append($0.text)
                return true
            }
            return parameters
        }
        #expect(parameters == expected)
    }

    @Test(
        "parameters match by name and value",
        arguments: [
            ("v=1", MediaType.Agreement.same), ("V=1", .same), ("w=X", .same), ("v=2", .other),
            ("v=", .other), ("v=12", .other), ("x=1", .absent), ("v", .other), ("", .absent),
        ]
    )
    func agreement(parameter: String, expected: MediaType.Agreement) {
        let agreement = within("a/b; v=1;w=x") { type in
            GuardedBytes.with(parameter.utf8) { type.agreement(with: $0) }
        }
        #expect(agreement == expected)
    }
}
