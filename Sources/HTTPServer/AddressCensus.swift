import Glibc
import Locking

/// How many connections each address has, over all loops, so that one can't take all places.
///
/// Beyond the bound a connection is closed as soon as it is taken: it costs a look at a table.
final class AddressCensus: Sendable {
    private let limit: Int
    private let counts = Locked<[PeerAddress: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a connection of an address; false if that has as many as it may.
    func admit(_ address: PeerAddress) -> Bool {
        counts.withLock { counts in
            guard counts[address, default: 0] < limit else { return false }
            counts[address, default: 0] += 1
            return true
        }
    }

    /// A connection has ended.
    func release(_ address: PeerAddress) {
        counts.withLock { counts in
            guard let count = counts[address] else { return }
            counts[address] = count > 1 ? count - 1 : nil
        }
    }

    /// The addresses that have connections.
    var addresses: Int { counts.withLock { $0.count } }
}

/// A loop's part of the census: whose connection each descriptor is.
struct AddressBook {
    let census: AddressCensus
    private var entries: [CInt: PeerAddress] = [:]

    init(_ census: AddressCensus) {
        self.census = census
    }

    /// Counts a connection that was taken; false if it has to go.
    ///
    /// One without an address, over a Unix socket, is never too many.
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
