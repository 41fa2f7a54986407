import Digests
import HTTPSyntax
import Identity

/// The HTML page that shows an API and calls it.
///
/// Its script reads `/openapi.json` and inserts the content as text, never as HTML. The page's
/// security policy allows only this script, this style, and connections to this server.
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
        <noscript>This page needs JavaScript: its script shows /openapi.json.</noscript>
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
            ("Content-Security-Policy", policy),
            ("Referrer-Policy", "no-referrer"),
        ]
    }

    /// A hash source of the policy; CSP 3 §2.3.1 allows base64url, too.
    static func hash(_ text: String) -> String {
        let digest = Array(text.utf8).withUnsafeBufferPointer { Digest.sha256($0) }
        return "'sha256-\(Base64URL.encode(digest))='"
    }
}
