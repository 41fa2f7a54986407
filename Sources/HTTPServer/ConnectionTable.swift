/// A loop's connections, indexed by their descriptors, which are small numbers.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private(set) var count = 0

    @inline(__always)
    subscript(fd: CInt) -> Connection? {
        fd >= 0 && fd < slots.count ? slots[Int(fd)] : nil
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
