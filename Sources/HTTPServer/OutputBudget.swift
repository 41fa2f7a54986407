/// The limit of what a loop stores for clients that receive slowly, in both protocols.
///
/// Whatever waits for a client counts: responses, their pieces, and bytes that the socket hasn't taken. One
/// connection may store a little in any case, so that slow clients can't keep others from small responses. For
/// a larger response the connection that stores the most gives way.
struct OutputBudget {
    /// The bytes that a connection may store whatever the others do.
    static let share = 64 * 1024
    /// The bytes that an HTTP/2 connection may store before its next request is rejected.
    static let connectionLimit = 4 * 1024 * 1024
    /// The bytes that an HTTP/2 connection may store before a response that is ready is given up.
    static let readyLimit = 4 * connectionLimit

    /// The bytes that all of a loop's connections may store.
    let limit: Int

    /// Whether an HTTP/2 connection that stores `own` bytes, `ready` of them of whole responses, may begin
    /// one more response, while the loop's store `all`.
    func allowsStart(own: Int, ready: Int, all: Int) -> Bool {
        own < Self.share || ready < Self.connectionLimit && all < limit
    }

    /// Whether a connection that stores `own` bytes may store a response of `count` bytes that is ready.
    func allows(_ count: Int, own: Int, all: Int) -> Bool {
        own < Self.share && count <= Self.share || own < Self.readyLimit && all < limit
    }

    /// Whether a connection that stores `own` bytes is closed to make room for a response of `count` bytes.
    ///
    /// Only one that stores much more: clients that receive the same document slowly don't close each other.
    func givesWay(_ own: Int, to count: Int) -> Bool {
        own > Self.share && own / 2 > count
    }
}
