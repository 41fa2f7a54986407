public import Plug

/// An action that requires scopes of its callers.
///
/// ```swift
/// extension DeletePhoto: Scoped { static var scopes: Scopes { ["photos:write"] } }
/// ```
/// Before it reads the request's body, the server checks the caller (RFC 6750 §3). It responds with
/// 401 to an unknown caller, and with 403 to one that lacks a scope. An implementation reads the
/// caller from ``Caller/current``.
public protocol Scoped: DeclaresPolicy, CallerSpecific {
    /// The scopes that a caller needs, all of them; an empty list allows every known caller.
    static var scopes: Scopes { get }
}
