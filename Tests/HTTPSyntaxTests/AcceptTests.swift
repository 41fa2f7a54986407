import GuardedBytes
import Testing

@testable import HTTPSyntax

private let offers: [StaticString] = ["application/jsonl", "text/event-stream"]

private func preferred(_ lines: String...) throws -> Int? { try preferred(offers, lines) }

private func preferred(
    _ offers: [StaticString],
    _ lines: [String],
    ignoresUnknownParameters: Bool = false
) throws -> Int? {
    let fields = lines.map { "Accept: \($0)\r\n" }.joined()
    let head = Array("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8)
    return try GuardedBytes.with(head) { bytes in
        let parser = RequestParser()
        try #require(parser.parse(bytes) == .complete)
        return Accept.preferred(
            offers,
            parser.head,
            ignoresUnknownParameters: ignoresUnknownParameters
        )
    }
}

@Suite("Accept (RFC 9110 §12.5.1)")
struct AcceptTests {
    @Test("without the field every media type is accepted")
    func absent() throws {
        #expect(try preferred() == 0)
    }

    @Test(
        "the first offer is preferred among equal weights",
        arguments: [
            "*/*", "application/*", "application/jsonl", "APPLICATION/JsonL", "application/*, */*",
            "application/jsonl, text/event-stream", "text/event-stream, application/jsonl",
            "text/event-stream;q=0.5, */*;q=0.5", "text/html, */*;q=0.1", "*/* ; q=0.001",
            "application/jsonl;q=0.5, text/event-stream;q=0.499", "text/event-stream;q=0, */*",
            "application/jsonl; q=1.000 ;ext=1", "text/*;q=0.9, application/jsonl",
        ]
    )
    func first(value: String) throws {
        #expect(try preferred(value) == 0)
    }

    @Test(
        "an offer with a greater weight is preferred; the most specific range counts",
        arguments: [
            "text/event-stream", "text/*", "TEXT/Event-Stream", "text/event-stream, */*;q=0.9",
            "*/*, application/jsonl;q=0", "application/*;q=0.1, text/*;q=0.2",
            "*/*;q=0.5, text/event-stream", "text/*;q=0.1, application/*;q=0",
            "text/html, text/event-stream;q=0.001", "application/*, text/*, application/jsonl;q=0",
            "application/jsonl, text/event-stream;q=0.5, application/jsonl;q=0.4",
        ]
    )
    func second(value: String) throws {
        #expect(try preferred(value) == 1)
    }

    @Test(
        "no offer is acceptable if each is excluded or not listed",
        arguments: [
            "text/html", "application/json", "*/*;q=0", "text/html;x=\"a;q=0.1\"",
            "text/html;x=\"\\\";q=1\"", "application/jsonl;q=0", "image/*",
            "application/jsonl;q=0, text/*;q=0, */*", "application/jsonl;charset=utf-8",
            "text/event-stream;level=1;q=0.5", "application/jsonl;q=0.0, text/html",
        ]
    )
    func none(value: String) throws {
        #expect(try preferred(value) == nil)
    }

    @Test(
        "an invalid member is ignored",
        arguments: [
            "", ",", "text", "text/", "/event-stream", "*/event-stream", "text/event stream",
            "text/event-stream;q=2", "text/event-stream;q=", "text/event-stream;q=0.1234",
            "text/event-stream;q=1.001", "text/event-stream;q=-1", "text/event-stream;q=a",
            "te(xt/event-stream", "text/event-stream/x", "\"text/event-stream\"",
        ]
    )
    func invalid(value: String) throws {
        #expect(try preferred(value) == 0)
        #expect(try preferred(value, "text/event-stream") == 1)
    }

    @Test("several lines are one list (§5.3)")
    func lines() throws {
        #expect(try preferred("text/html", "text/event-stream") == 1)
        #expect(try preferred("application/jsonl;q=0.5", "text/event-stream;q=0.6") == 1)
    }

    @Test(
        "a range's parameters must match the offer's; more parameters are more specific",
        arguments: [
            ("a/b;v=1", 0), ("a/b;v=2", 1), ("a/b", 0), ("A/B;V=1", 0), ("a/b;v=3", nil),
            ("a/b;v=1;q=0.1, a/b;q=0.5", 1), ("a/b;q=0.1, a/b;v=2", 1), ("a/b;v=1;w=2", nil),
            ("a/b;w=2", nil), ("a/*;v=2", 1), ("*/*;v=2;q=0.1", 1), ("a/b;v=1;q=0, */*", 1),
            ("a/b;", 0), ("a/b; ;v=2", 1), ("a/b;v", nil), ("a/b;=1", nil),
        ] as [(String, Int?)]
    )
    func parameters(value: String, expected: Int?) throws {
        #expect(try preferred(["a/b;v=1", "a/b; v=2"], [value]) == expected)
    }

    @Test(
        "a parameter unknown to all offers can be ignored, one with another value can't",
        arguments: [
            ("a/b;w=2", 0), ("a/b;v=2;w=2", 1), ("a/b;v=3", nil), ("a/b;v=3;w=2", nil),
            ("a/b;w=2;q=0.5, a/b;v=2", 1),
        ] as [(String, Int?)]
    )
    func unknownParameters(value: String, expected: Int?) throws {
        let offers: [StaticString] = ["a/b;v=1", "a/b; v=2"]
        #expect(try preferred(offers, [value], ignoresUnknownParameters: true) == expected)
    }
}
