import JSONCodec
import Testing

@Suite("Patterns (ECMA-262, 22.2; JSON Schema validation, 6.3.3)")
struct PatternTests {
    @Test(
        "match what the expression says, anywhere unless it is tied to the ends",
        arguments: [
            ("", "", true), ("", "x", true), ("b", "abc", true), ("^b", "abc", false),
            ("b$", "ab", true), ("^$", "", true), ("^$", "a", false), ("^a.c$", "abc", true),
            ("^a.c$", "a\nc", false), ("^a.c$", "a🙂c", true), ("a|b|^c$", "xb", true),
            ("^(a|bc)+$", "abcbca", true), ("^(a|bc)+$", "abcb", false), ("^a*$", "", true),
            ("^a+$", "", false), ("^a?b$", "b", true), ("^a{2}$", "aa", true),
            ("^a{2}$", "a", false),
            ("^a{2,}$", "aaaa", true), ("^a{2,3}$", "aaaa", false), ("^a{0}$", "", true),
            ("^a{0,2}b$", "aab", true), ("^[a-c_-]+$", "a-c_b", true), ("^[^a-c]$", "b", false),
            ("^[^a-c]$", "\n", true), ("^[\\d]+\\D$", "12x", true), ("^\\w+\\W$", "aZ_0!", true),
            ("^\\s\\S$", "\u{A0}x", true), ("^[\\w.-]+@[\\w]+$", "a.b-c@d", true),
            ("\\bfoo\\b", "a foo b", true), ("\\bfoo\\b", "afoo", false), ("a\\Bb", "ab", true),
            ("^\\u0041\\x42\\u{1F642}$", "AB🙂", true), ("^[^\\u0000]*$", "a\0", false),
            ("^\\$\\.\\/\\-$", "$./-", true), ("^(?:a)(?<n>b)$", "ab", true), ("^[]$", "", false),
            ("^[^]$", "x", true), ("^(|a)b$", "b", true), ("^(a*)*$", "aaa", true),
            ("^[\\b]$", "\u{8}", true), ("^a.*?b$", "axxb", true), ("^[\\D]$", "5", false),
            ("^é$", "e\u{301}", false), ("^[a\\-z]$", "-", true), ("^[a-]$", "-", true),
        ]
    )
    func match(_ expression: String, _ text: String, _ matches: Bool) throws {
        #expect(try Pattern(expression).matches(text) == matches)
        // The same with so many states that they don't fit in a word.
        #expect(try Pattern("(?:\(expression))|x{80}").matches(text) == matches)
    }

    @Test(
        "are refused where they are none, or can't be matched in linear time",
        arguments: [
            "(", ")", "a)", "[", "[a", "*", "a**", "a{1", "a{2,1}", "{", "}", "]", "\\", "(?=a)",
            "(?!a)", "(?<=a)", "(?<!a)", "(a)\\1", "\\k<n>", "\\p{L}", "\\q", "[b-a]", "\\u00g0",
            "\\u{110000}", "\\u{D800}", "^*", "a{1001}", "(a{100}){100}", "\\x4", "a|*",
            String(repeating: "(", count: 100) + String(repeating: ")", count: 100),
        ]
    )
    func refused(_ expression: String) {
        #expect(throws: Pattern.Invalid.self) { try Pattern(expression) }
    }

    @Test("take no exponential time")
    func linear() throws {
        let text = String(repeating: "a", count: 5_000) + "!"
        for expression in ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(x+x+)+y", "^(.*)*b"] {
            #expect(try Pattern(expression).matches(text) == false)
        }
    }
}
