import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Percent-encoding (RFC 3986 §2.1)")
struct PercentCodingTests {
    private func decode(_ text: String, plusIsSpace: Bool = false) -> String? {
        GuardedBytes.with(text.utf8) { PercentCoding.decode($0, plusIsSpace: plusIsSpace) }
    }

    @Test(
        "a path has one normal form (§6.2.2)",
        arguments: [
            ("/a/b", "/a/b"), ("/%61/%62", "/a/b"), ("/a%2fb", "/a%2Fb"), ("/%2e%2E", "/.."),
            ("/%21%24%26%27%28%29%2a%2b%2c%3b%3d%3a%40", "/!$&'()*+,;=:@"),
            ("/%25%34%31", "/%2541"), ("/\u{E9} ?", "/%C3%A9%20%3F"), ("/%2541", "/%2541"),
            ("/%c3%a9", "/%C3%A9"),
            ("/%00%20%3f%23%22", "/%00%20%3F%23%22"), ("", ""),
        ]
    )
    func normalized(path: String, text: String) {
        #expect(PercentCoding.normalized(path.utf8) == text)
        #expect(PercentCoding.normalized(text.utf8) == text)
    }

    @Test(
        "an invalid escape is unchanged",
        arguments: ["%", "/%", "/%4", "/%zz", "/%4%41", "/%%41"]
    )
    func malformed(path: String) {
        let text = path.replacing("%41", with: "A")
        #expect(PercentCoding.normalized(path.utf8) == text)
    }

    @Test(
        "decoding an encoded text returns it",
        arguments: ["", "a b", "é/ü?", "%41", "+", "\u{1F600}"]
    )
    func decoded(text: String) {
        #expect(decode(PercentCoding.encode(text)) == text)
    }

    @Test(
        "truncated escapes, other digits, invalid UTF-8 and NUL aren't decoded",
        arguments: ["%", "%4", "%zz", "%ff", "%00"]
    )
    func undecoded(bytes: String) {
        #expect(decode(bytes) == nil)
    }

    @Test("a plus is a space in a form, and itself in a path")
    func plus() {
        #expect(decode("a+b", plusIsSpace: true) == "a b")
        #expect(decode("a+b") == "a+b")
        #expect(decode("a%2Bb", plusIsSpace: true) == "a+b")
    }
}
