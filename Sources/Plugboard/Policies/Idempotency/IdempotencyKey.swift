import HTTPSyntax
import PlugHTTP

/// The identity of a request and its retries: caller, action and the client's key.
///
/// See draft-ietf-httpapi-idempotency-key-header §2.
struct IdempotencyKey: Hashable, Sendable {
    /// The caller's identifier; empty for an unknown caller.
    let caller: String
    let action: String
    /// The client's key, then other distinguishing text, each after a line feed, which no key has.
    let key: String

    /// The limit on a key's length, in bytes.
    private static let maximumLength = 255

    init(caller: String, action: String, key: String) {
        self.caller = caller
        self.action = action
        self.key = key
    }

    // Byte by byte, as databases compare: callers whose names look alike have separate keys.
    static func == (left: IdempotencyKey, right: IdempotencyKey) -> Bool {
        left.caller.utf8.elementsEqual(right.caller.utf8)
            && left.action.utf8.elementsEqual(right.action.utf8)
            && left.key.utf8.elementsEqual(right.key.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for text in [caller, action, key] {
            for byte in text.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8.max)  // which no text has
        }
    }

    /// Creates the key of a request; for an item of a batch, the batch's key and the item's index.
    ///
    /// Without a known owner the key includes a digest of the request's unverified credentials. So no
    /// client gets the response to another one.
    ///
    /// - Throws: ``Problem`` for an invalid key or several keys.
    init(
        _ request: borrowing Request,
        for action: ExposedAction,
        of owner: String?,
        unverified credentials: [UInt8]?
    ) throws(Problem) {
        var key = try Self.text(in: request.head)
        if let place = request.item { key += "\n\(place)" }
        if let credentials { key += "\n=" + Base64URL.encode(credentials) }
        self.init(caller: owner ?? "", action: action.name, key: key)
    }

    /// Returns the key in a request's head: a quoted string or a bare text.
    ///
    /// Both spellings of a key are the same key. Parameters are ignored (RFC 9651 §3.3).
    ///
    /// - Throws: ``Problem`` for an invalid key or several keys.
    static func text(in head: RequestHead) throws(Problem) -> String {
        guard let value = head.field("idempotency-key"), head.count(of: "idempotency-key") == 1,
            let text = StructuredItem.text(value), (1...maximumLength).contains(text.utf8.count)
        else {
            throw .badRequest(
                "Idempotency-Key must be one text of 1 to \(maximumLength) characters, such as "
                    + "8e03978e-40d5-43dd-bc93-6894a57f9324: quote a text with spaces or commas"
            )
        }
        return text
    }
}
