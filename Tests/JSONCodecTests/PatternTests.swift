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

    @Test(
        "that are incomplete or invalid are rejected, with the position",
        arguments: [
            ("(?<n", 4), ("(?<n>", 5), ("(?<>a)", 4), ("(?<1>a)", 4), ("(?<n)b>c)", 5),
            ("(?<a b>c)", 5), ("(?", 2), ("(?:", 3), ("(?x)", 2), ("a|(b", 4), ("a|)", 2),
            ("[^", 2), ("[\\", 2), ("[a-\\d]", 5), ("[a-", 3), ("[\\u{41]", 6), ("\\x", 2),
            ("\\u", 2), ("\\u{}", 3), ("\\u{41", 5), ("\\u{0000041}", 9), ("\\01", 2),
            ("\\c", 2), ("\\8", 2), ("a{,2}", 2), ("a{}", 2), ("a{1,x}", 4), ("a{ 1}", 2),
            ("a{100000}", 7), ("a{-1}", 2), ("a???", 3), ("a+*", 2), ("(^)*", 4), ("\\b+", 3),
            ("$?", 2), ("é)", 1),
        ]
    )
    func place(_ expression: String, _ place: Int) {
        let error = #expect(throws: Pattern.Invalid.self) { try Pattern(expression) }
        #expect(
            error?.description.hasPrefix("at character \(place): ") == true,
            "\(String(describing: error))"
        )
    }

    @Test("have a bound of states and of depth, which may be reached")
    func bounds() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
        }
        // Each scalar is a state, and the match is one.
        for fitting in ["a{999}", "(?:ab{3}){2}", "a{499}b{500}", nested(63)] {
            #expect(throws: Never.self) { try Pattern(fitting) }
        }
        for large in [
            "a{1000}", "a{500}b{500}", "(a{0,500}){2}", "a{0,500}", "((a{10}){10}){10}",
            "a{99999}", "(a{0}){1001}", nested(64), String(repeating: "a", count: 1_000),
            String(repeating: "|", count: 500),
        ] {
            #expect(throws: Pattern.Invalid.self) { try Pattern(large) }
        }
        let most = String(repeating: "a", count: 997)
        #expect(try Pattern("^a{997}$").matches(most))
        #expect(try !Pattern("^a{997}$").matches(most + "a"))
    }

    @Test("take no exponential time")
    func linear() throws {
        let text = String(repeating: "a", count: 5_000) + "!"
        for expression in ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(x+x+)+y", "^(.*)*b"] {
            #expect(try Pattern(expression).matches(text) == false)
        }
    }
}
