/// A streamed body: made piece by piece while it is sent.
package struct ResponseStream: Sendable {
    /// Returns the next piece as soon as the previous one is being sent; nil after the last.
    ///
    /// A task on the loop calls it, one call at a time. An error ends the response in a way that
    /// the client detects. The task is cancelled when the client disconnects.
    package let next: @Sendable () async throws -> [UInt8]?
    /// The bytes sent after `HTTPConfiguration.heartbeat` seconds without a piece.
    ///
    /// A stream with a heartbeat is endless: it ends when the server drains.
    package let heartbeat: [UInt8]?
    /// Whether the stream may continue, checked at each heartbeat; nil if it always may.
    package let goesOn: (@Sendable () -> Bool)?

    package init(
        heartbeat: [UInt8]? = nil,
        goesOn: (@Sendable () -> Bool)? = nil,
        next: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.heartbeat = heartbeat
        self.goesOn = goesOn
        self.next = next
    }
}
