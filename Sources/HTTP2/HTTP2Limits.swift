package import HTTPSyntax

/// Bounds on an HTTP/2 connection.
package struct HTTP2Limits: Sendable {
    /// The largest head, counted as SETTINGS_MAX_HEADER_LIST_SIZE is, in bytes (RFC 9113 §6.5.2),
    /// and its number of field lines; more is 431.
    package var head = HeadLimits()
    /// Streams that are open at a time (RFC 9113 §5.1.2).
    package var streams = 100
    /// The bytes of request bodies that may come before any was taken, of each stream (RFC 9113
    /// §6.9.2); the protocol's own default.
    package var streamWindow = 65_535
    /// The same for the connection.
    ///
    /// It is given back as bytes come, so that a stream whose taker is behind doesn't hold up the
    /// others.
    package var connectionWindow = 1024 * 1024
    /// Gaps in the numbers of streams that are remembered, since none of those may be used later
    /// (RFC 9113 §5.1.1); clients have no reason to leave one.
    package var gaps = 64
    /// Streams that may be broken off in a row, by the client or for its errors, and how many more
    /// each second: who opens and resets streams makes work and never pays for an answer
    /// (CVE-2023-44487, CVE-2025-8671).
    ///
    /// A browser that leaves a page breaks off all it has open.
    package var resets = HTTP2Budget(capacity: 200, perSecond: 20)
    /// Frames that move nothing along (PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA), and how
    /// many more each second (CVE-2019-9512, 9513, 9515, 9518).
    package var idleFrames = HTTP2Budget(capacity: 1000, perSecond: 100)
    /// Frames that may wait until the client reads, but for DATA.
    package var queue = 1000
    /// A head this many times over the limit ends the connection: nothing but an attack is so large,
    /// and reading on would cost more than the answer (CVE-2016-6581).
    package var absurdity = 16

    package init() {}
}
