import JSONCodec
import Testing

@Suite("Patterns (ECMA-262, 22.2; JSON Schema validation, 6.3.3)")
struct PatternTests {
    @Test(
        "patterns match anywhere unless anchored",
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
            ("^[^\\W]$", "_", true), ("^[^\\W]$", "-", false), ("^[\\W\\d]+$", "-5", true),
            ("^[\\d-x]+$", "5-x", true), ("^(a{0})*b$", "b", true), ("^(?<$é_1>a)$", "a", true),
            ("^\\0$", "\0", true), ("^[\\t\\n\\v\\f\\r]+$", "\t\n\u{B}\u{C}\r", true),
            ("^[\\x41-\\x43]$", "B", true), ("^[.*+?|()]+$", ".*+?|()", true),
            ("^a|b$", "ax", true), ("^(?:a|)+$", "", true), ("^.$", "\u{2028}", false),
            ("^a{2}?$", "aa", true), ("(?:)", "", true), ("^\\u{10FFFF}$", "\u{10FFFF}", true),
        ]
    )
    func match(_ expression: String, _ text: String, _ matches: Bool) throws {
        #expect(try Pattern(expression).matches(text) == matches)
        // The same with so many states that they don't fit in a word.
        #expect(try Pattern("(?:\(expression))|x{80}").matches(text) == matches)
    }

    @Test("matching doesn't take exponential time")
    func linear() throws {
        let text = String(repeating: "a", count: 5_000) + "!"
        for expression in ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(x+x+)+y", "^(.*)*b"] {
            #expect(try Pattern(expression).matches(text) == false)
        }
    }
}
