import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("base64url (RFC 4648 §5)")
struct Base64URLTests {
    @Test(
        "base64url is decoded without padding, and strictly",
        arguments: [
            ("AAMAAABkAAQAAP__", [0, 3, 0, 0, 0, 100, 0, 4, 0, 0, 255, 255]), ("_-8", [255, 239]),
            ("_w", [255]), ("_x", nil), ("A", nil), ("", nil), ("AA==", nil), ("A+/A", nil),
        ] as [(String, [UInt8]?)]
    )
    func decode(text: String, bytes: [UInt8]?) {
        let guarded = GuardedBytes(Array(text.utf8))
        withExtendedLifetime(guarded) { #expect(Base64URL.decode(guarded.span) == bytes) }
    }
}
