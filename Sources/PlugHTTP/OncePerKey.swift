/// An action that is performed once for each key that its callers choose.
///
/// ```swift
/// extension PlaceOrder: OncePerKey {}
/// ```
/// A request without an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) is answered
/// with 400. Any other POST or PATCH action heeds a key, too, where a client sends one and the server
/// has a data folder or a database; this one asks for it.
public protocol OncePerKey: Governed {}
