/// An action that ignores members of its requests that its input doesn't have.
///
/// ```swift
/// extension ReceiveWebhook: IgnoresUnknownMembers {}
/// ```
/// The server rejects unknown members of other actions with 422, since a misspelled optional member
/// would otherwise count as missing. Ignore them in requests of clients that you can't change, such
/// as webhooks.
public protocol IgnoresUnknownMembers: DeclaresPolicy {}
