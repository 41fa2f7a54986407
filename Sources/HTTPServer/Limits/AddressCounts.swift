import Glibc
import HTTPSyntax
import Locking

/// The number of open connections of each address, over all loops.
///
/// It keeps one address from using up all connections. A connection above the limit is closed right
/// after accept.
final class AddressCounts: Sendable {
    private let limit: Int
    /// Whether connections from this machine aren't counted: all clients of a proxy have its address.
    let exemptsLoopback: Bool
    private let counts = Locked<[IPAddress: Int]>([:])

    init(limit: Int, exemptsLoopback: Bool = true) {
        self.limit = limit
        self.exemptsLoopback = exemptsLoopback
    }

    /// Counts a new connection; returns false if its address has reached the limit.
    func admit(_ address: IPAddress) -> Bool {
        counts.withLock { counts in
            guard counts[address, default: 0] < limit else { return false }
            counts[address, default: 0] += 1
            return true
        }
    }

    /// Counts a closed connection.
    func release(_ address: IPAddress) {
        counts.withLock { counts in
            guard let count = counts[address] else { return }
            counts[address] = count > 1 ? count - 1 : nil
        }
    }

    /// The number of addresses that have connections.
    var addresses: Int { counts.withLock { $0.count } }
}

/// The address of each connection of one loop.
struct ConnectionAddresses {
    let census: AddressCounts
    private var entries: [CInt: IPAddress] = [:]

    init(_ census: AddressCounts) {
        self.census = census
    }

    /// Counts a new connection; returns false if it has to be closed.
    ///
    /// Connections over a Unix socket have no address and no limit. Nor have those of this machine.
    mutating func admit(_ fd: CInt, _ address: IPAddress?) -> Bool {
        guard let address, !(census.exemptsLoopback && address.isLoopback) else { return true }
        let customer = address.customer
        guard census.admit(customer) else { return false }
        entries[fd] = customer
        return true
    }

    mutating func release(_ fd: CInt) {
        guard let address = entries.removeValue(forKey: fd) else { return }
        census.release(address)
    }
}
