package import HTTPSyntax

/// A server's bounds.
///
/// Every resource has one.
package struct HTTPConfiguration: Sendable {
    package var head = HeadLimits()
    /// From a request's first byte to the end of its head, in seconds; then 408.
    package var headTimeout = 10
    /// Without progress of a body that is awaited, in seconds; then 408.
    package var bodyTimeout = 30
    /// What counts as progress, in bytes for each second of `bodyTimeout` and `writeTimeout`.
    package var leastRate = 1024
    /// The bytes of collected bodies held at a time, over all loops; then 503.
    ///
    /// Where as many of streamed ones wait for their tasks none is read ahead, and twice as many are 503.
    package var bodyBudget = 64 * 1024 * 1024
    /// The bytes that wait for clients which receive slowly, over all loops and in both protocols.
    ///
    /// Beyond it actions are rejected with 503 before they are performed, and responses of more than
    /// 64 KiB that are ready are given up.
    package var outputBudget = 48 * 1024 * 1024
    /// Without a request on a connection that is kept alive, in seconds; then it is closed.
    package var idleTimeout = 30
    /// Without progress of a client that takes its answers, in seconds; then it is cut off.
    ///
    /// In HTTP/2 an answer of which it takes less than 1 KiB meanwhile is given up, too.
    package var writeTimeout = 30
    /// For a client to close its side behind the last answer, for the rest of a request that is
    /// answered, or for a head when the server drains, in seconds.
    package var lingerTimeout = 2
    /// For the answer to a client that has closed its side, before it is asked whether it is there, in
    /// milliseconds: time enough for an ordinary one, and one that is gone has its task cancelled soon.
    package var hangUpDelay = 75
    /// Between the signs of life of a stream that has them, in seconds.
    package var heartbeat = 15
    /// For answers in flight when the server drains, in seconds.
    package var drainTimeout = 30
    /// The most connections at a time, over all loops; more wait in the listener's queue.
    package var connections = 16_384
    /// The most connections at a time of one address, over all loops; nil for no bound.
    package var connectionsPerAddress: Int?
    /// How long a connection may at least be without a request, in milliseconds, before it is ended
    /// to make room for a new one.
    package var leastIdle = 100
    /// Whether a client's offer to go on in HTTP/2 on a plain connection is taken (RFC 7540 §3.2).
    package var takesUpgrades = true
    /// Event loops, each with a thread and a listening socket of its own.
    package var loops = 1

    package init() {}
}
