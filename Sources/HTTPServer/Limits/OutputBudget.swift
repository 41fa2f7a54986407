/// The limit of the bytes that a loop stores for slow clients, in both protocols.
///
/// It covers responses, their pieces, and bytes that the socket hasn't accepted. Each connection
/// may always store `share` bytes, so that slow clients can't block small responses to others. For
/// a larger response the loop may close the connections of clients that receive nothing.
struct OutputBudget {
    /// The bytes that a connection may always store.
    static let share = 64 * 1024
    /// The stored bytes of an HTTP/2 connection above which its next request is rejected.
    static let connectionLimit = 4 * 1024 * 1024
    /// The stored bytes of an HTTP/2 connection above which a finished response is discarded.
    static let readyLimit = 4 * connectionLimit

    /// The limit for all connections of the loop, in bytes.
    let limit: Int

    /// Whether an HTTP/2 connection may begin another response.
    ///
    /// The connection stores `own` bytes, `ready` of them of finished responses. All connections of
    /// the loop store `all`.
    func allowsStart(own: Int, ready: Int, all: Int) -> Bool {
        own < Self.share || ready < Self.connectionLimit && all < limit
    }

    /// Whether a connection that stores `own` bytes may store a finished response of `count` bytes.
    func allows(_ count: Int, own: Int, all: Int) -> Bool {
        own < Self.share && count <= Self.share || own < Self.readyLimit && all < limit
    }

    /// The interval in milliseconds after which a client that has received nothing has stalled.
    static let patience = 1000
    /// The bytes that a client must receive in that interval.
    static let minimumReceived = 1024

    /// Whether so much waits that the loop measures the clients' progress.
    func isUnderPressure(_ all: Int) -> Bool { all > limit / 2 }
}
