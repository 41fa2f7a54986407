import Glibc
import Locking

/// The number of open connections of each address, over all loops.
///
/// It keeps one address from using up all connections. A connection above the limit is closed right
/// after accept.
final class AddressCounts: Sendable {
    private let limit: Int
    private let counts = Locked<[PeerAddress: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a new connection; returns false if its address has reached the limit.
    func admit(_ address: PeerAddress) -> Bool {
        counts.withLock { counts in
            guard counts[address, default: 0] < limit else { return false }
            counts[address, default: 0] += 1
            return true
        }
    }

    /// Counts a closed connection.
    func release(_ address: PeerAddress) {
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
    private var entries: [CInt: PeerAddress] = [:]

    init(_ census: AddressCounts) {
        self.census = census
    }

    /// Counts a new connection; returns false if it has to be closed.
    ///
    /// Connections over a Unix socket have no address and no limit.
    mutating func admit(_ fd: CInt, _ address: PeerAddress?) -> Bool {
        guard let address = address?.customer else { return true }
        guard census.admit(address) else { return false }
        entries[fd] = address
        return true
    }

    mutating func release(_ fd: CInt) {
        guard let address = entries.removeValue(forKey: fd) else { return }
        census.release(address)
    }
}
