import Testing

@testable import PlugboardCommand

@Suite("Links of a document")
struct LinkOpenerTests {
    @Test(
        "are opened if they are for browsers and mail programs",
        arguments: ["https://example.com/a?b=c#d", "HTTP://example.com", "mailto:ada@example.com"]
    )
    func opened(_ url: String) {
        #expect(LinkOpener.objection(to: url) == nil)
    }

    @Test(
        "are rejected for other programs and with hidden characters or attachments",
        arguments: [
            "file:///etc/passwd", "javascript:alert(1)", "/bin/sh", "-h", "", "http:evil", "https",
            "https://example.com/a b", "https://example.com/\u{1B}[2J", "https://a\u{202E}b",
            "mailto:ada@example.com?attach=/etc/passwd", "data:text/html,x", "ssh://example.com",
        ]
    )
    func onlyListed(_ url: String) {
        #expect(LinkOpener.objection(to: url) != nil)
    }
}
