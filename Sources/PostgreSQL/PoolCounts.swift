/// The numbers of a pool's connections and of its callers at one moment.
package struct PoolCounts: Sendable, Equatable {
    /// The connections that callers use or open.
    package var inUse = 0
    /// The open connections that no caller uses.
    package var idle = 0
    /// The callers that wait for a connection.
    package var waiting = 0
}
