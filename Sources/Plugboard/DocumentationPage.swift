import Digests
import HTTPSyntax
import Identity

/// The page that shows an API and calls it.
///
/// It holds nothing of the API itself: its script reads `/openapi.json` and puts what it says into the
/// page as text, never as HTML. The page's policy lets only this script and this style run, and
/// connects nowhere else.
enum DocumentationPage {
    static var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>API</title>
        <style>\(style)</style>
        </head>
        <body>
        <header><h1></h1><p></p>
        <form><label>Bearer token <input id="token" type="password" autocomplete="off"></label></form></header>
        <main></main>
        <noscript>This page is made by its script, of /openapi.json.</noscript>
        <script>\(script)</script>
        </body>
        </html>

        """
    }

    static var fields: [(name: String, value: String)] {
        let policy =
            "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; style-src \(hash(style)); script-src \(hash(script))"
        return [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ]
    }

    /// A source of a policy (CSP 3, 2.3.1, which takes the alphabet of URLs, too).
    static func hash(_ text: String) -> String {
        let digest = Array(text.utf8).withUnsafeBufferPointer { Digest.sha256($0) }
        return "'sha256-\(Base64URL.encode(digest))='"
    }
}
