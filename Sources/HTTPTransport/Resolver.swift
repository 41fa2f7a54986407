#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
import Locking

/// The addresses of a host, freed with their last reference.
///
/// `@unchecked Sendable` is safe: the list never changes.
final class HostAddresses: @unchecked Sendable {
    private let list: UnsafeMutablePointer<addrinfo>

    /// Takes over a list of `getaddrinfo`.
    init(_ list: UnsafeMutablePointer<addrinfo>) { self.list = list }

    deinit { freeaddrinfo(list) }

    /// The addresses in their order; valid as long as the object is.
    var all: [UnsafeMutablePointer<addrinfo>] {
        Array(sequence(first: list) { $0.pointee.ai_next })
    }
}

/// Name resolution on threads of its own, since no one can interrupt `getaddrinfo`.
///
/// A name server that doesn't respond holds such a thread, also after its requests have ended. So a
/// name has at most one lookup at a time, whose result all its requests get. At most 64 names are
/// looked up at a time in the process. Further ones wait in a queue until their deadline. Addresses
/// need no lookup.
final class Resolver: Sendable {
    static let shared = Resolver(maximumCount: 64) { try HostAddresses($0.resolve()) }

    private let threads: WorkerThreads
    private let resolve: @Sendable (HostAndPort) throws -> HostAddresses
    /// The requests that wait for each running or queued lookup.
    private let waiting = Locked<[HostAndPort: [Lookup]]>([:])

    /// Creates a resolver with at most so many threads.
    init(
        maximumCount: Int,
        resolve: @escaping @Sendable (HostAndPort) throws -> HostAddresses
    ) {
        threads = WorkerThreads(maximumCount: maximumCount)
        self.resolve = resolve
    }

    /// Returns a host's addresses, for which the calling thread waits.
    ///
    /// - Throws: ``ClientError`` of kind `unreachable`, or `timedOut` at the deadline;
    ///   `CancellationError` as soon as the connection is cancelled.
    func addresses(
        of authority: HostAndPort,
        until deadline: ContinuousClock.Instant,
        for held: HeldConnection
    ) throws -> HostAddresses {
        if authority.isNumeric { return try resolve(authority) }
        let lookup = Lookup()
        guard held.hold(lookup) else { throw CancellationError() }
        defer { held.release() }
        let isFirst = waiting.withLock { waiting in
            defer { waiting[authority, default: []].append(lookup) }
            return waiting[authority] == nil
        }
        defer { waiting.withLock { $0[authority]?.removeAll { $0 === lookup } } }
        if isFirst, !threads.run({ self.run(authority) }) {
            end(authority, .failure(ClientError(.unreachable, "No thread can be created")))
        }
        guard let result = lookup.wait(until: deadline) else {
            throw ClientError(.timedOut, "\(authority.host) was not resolved in time")
        }
        return try result.get()
    }

    /// Looks a name up, unless all its requests ended in the queue.
    private func run(_ authority: HostAndPort) {
        let isWanted = waiting.withLock { waiting in
            if waiting[authority]?.isEmpty == true { waiting[authority] = nil }
            return waiting[authority] != nil
        }
        if isWanted { end(authority, Result { try resolve(authority) }) }
    }

    private func end(_ authority: HostAndPort, _ result: Result<HostAddresses, any Error>) {
        let lookups = waiting.withLock { $0.removeValue(forKey: authority) } ?? []
        for lookup in lookups { lookup.end(result) }
    }
}

/// The result of a lookup, for which a request's thread waits.
final class Lookup: Sendable {
    private let result = Monitor<Result<HostAddresses, any Error>?>(nil)

    /// Ends the wait; only the first call has an effect.
    func end(_ result: Result<HostAddresses, any Error>) {
        self.result.change { $0 = $0 ?? result }
    }

    /// Waits for the result; returns nil at the deadline.
    func wait(until deadline: ContinuousClock.Instant) -> Result<HostAddresses, any Error>? {
        result.wait(until: deadline) { $0 }
    }
}
#endif
