import HTTPSyntax

import Testing

@Suite("Redacted URLs")
struct RedactedURLTests {
    @Test(
        "user name, password (RFC 3986 §3.2.1), query and fragment are redacted",
        arguments: [
            ("https://host:8443/keys", "https://host:8443/keys"),
            ("https://ada:s3cret@host/keys", "https://…@host/keys"),
            ("HTTPS://s3cret@host", "HTTPS://…@host"),
            ("https://host/keys?token=s3cret", "https://host/keys?…"),
            ("https://host/keys#s3cret", "https://host/keys#…"),
            ("https://ada:s3cret@host/keys?token=s3cret#a", "https://…@host/keys?…"),
            ("", ""),
        ]
    )
    func shown(_ url: String, _ expected: String) { #expect(RedactedURL.text(url) == expected) }

    @Test(
        "a badly encoded password, and one in an invalid URL, are redacted",
        arguments: [
            "https://ada:s3/cret@host/keys", "https://ada:s3?cret@host/keys",
            "https://ada:s3#cret@host/keys", "https://ada:s3@cret@host/keys",
            "https://ada:1/cret@host", "ada:s3cret@host", "ada:s3cret://@host", "//ada:s3cret@host",
            "https:/ada:s3cret@host", "ht tp://ada:s3cret@host", "@s3cret@",
        ]
    )
    func broken(_ url: String) {
        let text = RedactedURL.text(url)
        #expect(!text.contains("s3") && !text.contains("cret"), "\(text)")
    }

    @Test("a path isn't redacted, a mistyped URL is")
    func paths() {
        for path in ["/etc/keys@home.json", "keys.json", "C:keys"] {
            #expect(RedactedURL.text(ofFileOrURL: path) == path)
            #expect(!RedactedURL.mayHaveUser(fileOrURL: path))
            #expect(!RedactedURL.mayHaveSecret(fileOrURL: path))
        }
        for url in ["htps://ada:s3cret@host", "https:/ada:s3cret@host"] {
            #expect(!RedactedURL.text(ofFileOrURL: url).contains("s3cret"))
            #expect(RedactedURL.mayHaveUser(fileOrURL: url))
        }
        #expect(RedactedURL.mayHaveSecret(fileOrURL: "https://host/keys?token=s3cret"))
        #expect(!RedactedURL.mayHaveUser(fileOrURL: "https://host/keys?token=s3cret"))
        #expect(!RedactedURL.mayHaveSecret(fileOrURL: "https://host/keys"))
    }

    @Test(
        "a path that may be a URL without a scheme is redacted",
        arguments: [
            ("host?token=s3cret", "host?…"), ("host/keys#s3cret", "host/keys#…"),
            ("host:8443/keys?s3cret", "host:8443/keys?…"), ("ada:s3cret@host/keys", "…@host/keys"),
            ("//host?s3cret", "//host?…"), ("keys?a#b", "keys?…"), ("C:keys@home", "…@home"),
        ]
    )
    func forgotten(_ text: String, _ expected: String) {
        #expect(RedactedURL.text(ofFileOrURL: text) == expected)
        #expect(RedactedURL.mayHaveSecret(fileOrURL: text))
        // A file of that name is one.
        #expect(!RedactedURL.mayHaveUser(fileOrURL: text))
    }
}
