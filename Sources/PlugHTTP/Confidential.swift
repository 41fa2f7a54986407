/// An action whose answers hold a secret, such as a token: each is given once, and nobody keeps it.
///
/// ```swift
/// extension CreateToken: Confidential {}
/// ```
/// Its answers say `Cache-Control: no-store` (RFC 9111 §5.2.2.5; RFC 6750 §5.3 asks for it), and so does
/// a batch's that holds one of them. With an `Idempotency-Key` it is done once as others are, but what
/// came of it isn't written down: whoever repeats the request is told that it was done, with a 409.
public protocol Confidential: Governed {}
