package import HTTPSyntax

/// The limits of an HTTP/2 connection.
package struct HTTP2Limits: Sendable {
    /// The maximum size and field count of a head; more is rejected with 431.
    ///
    /// The size is counted like SETTINGS_MAX_HEADER_LIST_SIZE, in bytes (RFC 9113 §6.5.2).
    package var head = HeadLimits()
    /// The maximum number of open streams (RFC 9113 §5.1.2).
    package var streams = 100
    /// The initial window of each stream, in bytes (RFC 9113 §6.9.2): the protocol's default.
    package var streamWindow = 65_535
    /// The window of the connection, in bytes.
    ///
    /// It is restored as bytes arrive, so that one slow stream doesn't block the others.
    package var connectionWindow = 1024 * 1024
    /// The maximum number of remembered gaps between stream numbers.
    ///
    /// A skipped number can't be used later (RFC 9113 §5.1.1). Clients have no reason to skip one.
    package var gaps = 64
    /// The streams that may be reset in a row, by the client or for its errors, and per second.
    ///
    /// A client that opens and resets streams causes work without receiving responses
    /// (CVE-2023-44487, CVE-2025-8671). A browser that leaves a page resets all its open streams.
    /// Each complete response permits another reset.
    package var resets = HTTP2Budget(capacity: 200, perSecond: 20)
    /// The idle frames that may arrive in a row, and per second (CVE-2019-9512, 9513, 9515, 9518).
    ///
    /// Idle frames are PING, SETTINGS, PRIORITY, empty DATA, and each WINDOW_UPDATE that returns no
    /// sent octets.
    package var idleFrames = HTTP2Budget(capacity: 1000, perSecond: 100)
    /// The maximum number of unsent frames other than DATA.
    package var queue = 1000
    /// The factor over the head limit at which the connection ends.
    ///
    /// Only an attack has such a head, and reading it costs more than a response (CVE-2016-6581).
    package var abuseFactor = 16

    package init() {}
}
