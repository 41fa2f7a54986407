public import Plug

/// An action that not everybody may call: the scopes that its callers need are part of its type.
///
/// ```swift
/// extension DeletePhoto: Scoped { static var scopes: Scopes { ["photos:write"] } }
/// ```
/// A server answers 401 to whoever it doesn't know, and 403 to whom it knows and who lacks a scope
/// (RFC 6750 §3), before it reads the request's body. An implementation finds out who calls by
/// ``Caller/current``.
public protocol Scoped: Governed, CallerBound {
    /// What a caller has to have, all of it; an empty list lets in everybody who is known.
    static var scopes: Scopes { get }
}
