import JSONCodec
import Testing

@Suite("Parsing of patterns (ECMA-262, 22.2)")
struct PatternParserTests {
    @Test(
        "an invalid pattern, and one without linear-time matching, are rejected",
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
        "an incomplete or invalid pattern is rejected with the position",
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

    @Test("states and depth of a pattern are limited; the limits can be reached")
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
}
