import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The grammar of RFC 3986, by which URLs are decoded.
@Suite("URI references")
struct URIReferenceTests {
    @Test(
        "a URL outside of RFC 3986's grammar is rejected, not percent-encoded",
        arguments: [
            "not a url", "caf\u{e9}", "%zz", "%4", "a\\b", "<a>", "http://[::1", "http://a b/",
            "http://h:80a/", "1a:b", ":a", "a#b#c", "http://u@v@h/", "[a]", "a|b", "a^b", "\"",
            "http://[v.x]/", "http://[::1]x/",
        ]
    )
    func invalidURLs(text: String) throws {
        let json = String(decoding: JSON.string(text).encoded(), as: UTF8.self)
        #expect(failure([URL].self, "[\(json)]") == "/0: expected a URL")
    }

    @Test(
        "a URI or a relative reference has the same bytes after decoding (RFC 3986 §4.1)",
        arguments: [
            "https://example.com/", "HTTP://EXAMPLE.com:8080/%7ea?q=a/b?c#d?", "a/b", "/a:b",
            "?q", "#f", "../x", "//host/p", "urn:x:%20", "mailto:a@b", "http://[::1]:80/",
            "http://u:p@h", "http://[v1.a:b]/", "file:///a", "a%2Fb", ".", "./a:b", "x:",
        ]
    )
    func validURLs(text: String) throws {
        #expect(try encode(decode([URL].self, "[\"\(text)\"]")) == "[\"\(text)\"]")
    }
}
