/// The limits of a database's writes.
package struct WriteLimits: Sendable, Equatable {
    /// The most writes that wait; further ones fail at once.
    package var waiting = 4_096
    /// The most writes in a transaction.
    package var group = 256
    /// The time in milliseconds after which a transaction takes no further write.
    package var groupTime = 20

    package init() {}
}
