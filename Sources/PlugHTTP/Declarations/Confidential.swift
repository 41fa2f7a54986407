/// An action whose responses contain a secret, such as a token.
///
/// They are sent once and never stored.
///
/// ```swift
/// extension CreateToken: Confidential {}
/// ```
/// Its responses have `Cache-Control: no-store` (RFC 9111 §5.2.2.5; required by RFC 6750 §5.3). So
/// does the response to a batch that contains one of them. A request with an `Idempotency-Key` is
/// performed once, as usual, but its response isn't stored: a repeated request gets a 409.
public protocol Confidential: DeclaresPolicy {}
