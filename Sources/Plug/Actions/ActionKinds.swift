/// An action whose repetition has the effect of one call (RFC 9110 §9.2.2).
///
/// A plan may retry it.
///
/// `GET`, `PUT` and `DELETE` actions are; any other action can conform.
public protocol IdempotentAction: ActionProtocol {}

/// An action that only reads (RFC 9110 §9.2.1).
///
/// A plan may cache its outputs.
///
/// `GET` actions are.
public protocol SafeAction: IdempotentAction {}

/// An action whose output may be meant for its caller only.
///
/// A plan never returns it to another caller.
///
/// An action that uses the caller's identity conforms, such as one that requires scopes.
public protocol CallerSpecific: ActionProtocol {}
