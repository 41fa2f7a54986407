/// An action that requires a key from its callers and performs each key's request once.
///
/// ```swift
/// extension PlaceOrder: RequiresIdempotencyKey {}
/// ```
/// The server responds with 400 to a request without an `Idempotency-Key`
/// (draft-ietf-httpapi-idempotency-key-header). Other POST and PATCH actions accept a key, too, if
/// the server has a data folder or a database; this one requires it.
public protocol RequiresIdempotencyKey: DeclaresPolicy {}
