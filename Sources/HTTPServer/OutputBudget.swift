/// The limit of the bytes that a loop stores for slow clients, in both protocols.
///
/// It covers responses, their pieces, and bytes that the socket hasn't accepted. Each connection
/// may always store `share` bytes, so that slow clients can't block small responses to others. For
/// a larger response the loop may close the connection that stores the most.
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

    /// Whether to close a connection that stores `own` bytes to make room for a response of `count`
    /// bytes.
    ///
    /// It has to store more than twice as much: slow clients of the same document must not close
    /// each other.
    func givesWay(_ own: Int, to count: Int) -> Bool {
        own > Self.share && own / 2 > count
    }
}
