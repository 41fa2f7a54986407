/// A loop's connections, indexed by their descriptors, which are small numbers.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private(set) var count = 0

    /// The open connection with that token.
    ///
    /// Nil if there is none, as after an event of a connection that was closed in the same turn.
    @inline(__always)
    subscript(token: UInt64) -> Connection? {
        let fd = CInt(truncatingIfNeeded: token)
        guard fd >= 0, fd < slots.count, let connection = slots[Int(fd)], connection.token == token
        else { return nil }
        return connection
    }

    mutating func insert(_ connection: Connection) {
        let index = Int(connection.fd)
        while slots.count <= index {
            slots.append(contentsOf: repeatElement(nil, count: max(64, slots.count)))
        }
        slots[index] = connection
        count += 1
    }

    mutating func remove(_ connection: Connection) {
        slots[Int(connection.fd)] = nil
        count -= 1
    }

    /// A snapshot of all connections.
    var all: [Connection] { slots.compactMap(\.self) }
}
