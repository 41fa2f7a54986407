import GuardedBytes
import Testing

@testable import HTTPSyntax

private func evaluate(_ fields: String) -> Preconditions.Verdict? {
    let bytes = GuardedBytes(Array("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n".utf8))
    let parser = RequestParser()
    guard parser.parse(bytes.span) == .complete else { return nil }
    let validators = Validators(etag: Array("\"abc\"".utf8), lastModified: 784_111_777)
    return Preconditions.evaluate(parser.head, validators, now: 1_700_000_000)
}

@Suite("Conditional requests (RFC 9110 §13)")
struct PreconditionsTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"

    @Test(
        "If-None-Match compares weakly (§13.1.2)",
        arguments: [
            ("\"abc\"", Preconditions.Verdict.notModified), ("W/\"abc\"", .notModified),
            ("*", .notModified), ("\"x\", \"abc\"", .notModified),
            ("\"x,y\" , \"abc\"", .notModified),
            ("\"x\"", .proceed), ("abc", .proceed), ("\"abcd\"", .proceed), ("", .proceed),
            ("\"x, \\\"abc\\\"\"", .proceed),
            // A backslash in a tag escapes nothing (§8.8.3).
            (#""x\", "abc""#, .notModified), (#""\","abc""#, .notModified),
            (#"W/"x\", W/"abc""#, .notModified), (#""ab\c""#, .proceed),
        ]
    )
    func ifNoneMatch(value: String, verdict: Preconditions.Verdict) {
        #expect(evaluate("If-None-Match: \(value)") == verdict)
    }

    @Test("If-Modified-Since is ignored beside If-None-Match (§13.1.3)")
    func ifModifiedSince() {
        #expect(evaluate("If-Modified-Since: \(Self.date)") == .notModified)
        #expect(evaluate("If-Modified-Since: \(Self.earlier)") == .proceed)
        #expect(evaluate("If-Modified-Since: yesterday") == .proceed)
        #expect(
            evaluate("If-None-Match: \"x\"\r\nIf-Modified-Since: \(Self.date)") == .proceed
        )
    }

    @Test("a date field that is sent twice is ignored (§13.1.3, §13.1.4)")
    func twoDates() {
        for field in ["If-Modified-Since", "If-Unmodified-Since"] {
            for (first, second) in [(Self.date, Self.date), ("x", Self.date), (Self.date, "x")] {
                #expect(evaluate("\(field): \(first)\r\n\(field): \(second)") == .proceed)
            }
            let earlier = "\(field): \(Self.earlier)\r\n"
            #expect(evaluate(earlier + "\(field): \(Self.earlier)") == .proceed)
            #expect(evaluate(earlier + earlier + "\(field): \(Self.date)") == .proceed)
        }
    }

    @Test("If-Match compares strongly and precedes If-Unmodified-Since (§13.1.1, §13.2.2)")
    func ifMatch() {
        #expect(evaluate("If-Match: \"abc\"") == .proceed)
        #expect(evaluate("If-Match: *") == .proceed)
        #expect(evaluate("If-Match: W/\"abc\"") == .failed)
        #expect(evaluate("If-Match: \"x\"") == .failed)
        #expect(evaluate("If-Unmodified-Since: \(Self.date)") == .proceed)
        #expect(evaluate("If-Unmodified-Since: \(Self.earlier)") == .failed)
        #expect(
            evaluate("If-Match: \"abc\"\r\nIf-Unmodified-Since: \(Self.earlier)") == .proceed
        )
        #expect(evaluate("If-Match: \"abc\"\r\nIf-None-Match: \"abc\"") == .notModified)
    }

    @Test("a range applies only if If-Range matches the representation (§13.1.5)")
    func ifRange() {
        func counts(_ fields: String, now: Int = 1_700_000_000) -> Bool {
            let head = Array("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n".utf8)
            return GuardedBytes.with(head) { bytes in
                let parser = RequestParser()
                guard parser.parse(bytes) == .complete else { return false }
                let validators = Validators(etag: Array("\"abc\"".utf8), lastModified: 784_111_777)
                return Preconditions.rangeCounts(parser.head, validators, now: now)
            }
        }
        #expect(counts("X: y"))
        #expect(counts("If-Range: \"abc\""))
        #expect(counts("If-Range: \(Self.date)"))
        for value in ["W/\"abc\"", "\"x\"", "\"abc\", \"x\"", "*", "", "abc", Self.earlier] {
            #expect(!counts("If-Range: \(value)"), "\(value)")
        }
        #expect(!counts("If-Range: \"abc\"\r\nIf-Range: \"abc\""))
        // Within its second the content may change once more (§8.8.2.2).
        #expect(!counts("If-Range: \(Self.date)", now: 784_111_777))
        #expect(counts("If-Range: \(Self.date)", now: 784_111_778))
    }
}
