#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
/// A TCP connection whose every wait has a deadline; it is closed when nobody holds it any more.
final class SocketConnection: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Connects to the first of a host's addresses that answers.
    ///
    /// - Parameters:
    ///   - authority: the host, a name or an address, and the port.
    ///   - deadline: when to give up. Addresses are tried one after the other, and none may use up
    ///     the time of those after it.
    ///   - isWanted: called with each connection before it is waited for; false ends the attempt.
    /// - Returns: a connection that is made.
    /// - Throws: ``ClientError``, or `CancellationError` where `isWanted` says no.
    static func connect(
        _ authority: Authority,
        until deadline: ContinuousClock.Instant,
        isWanted: (SocketConnection) -> Bool
    ) throws -> SocketConnection {
        var hints = addrinfo()
        hints.ai_socktype = streamType
        hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(authority.host, String(authority.port), &hints, &list)
        guard status == 0, let list else {
            let reason = String(cString: gai_strerror(status))
            throw ClientError(.unreachable, "\(authority.host) cannot be resolved: \(reason)")
        }
        defer { freeaddrinfo(list) }

        let addresses = Array(sequence(first: list) { $0.pointee.ai_next })
        var failure: any Error = ClientError(.unreachable, "\(authority.host) has no address")
        for (index, address) in addresses.enumerated() {
            let now = ContinuousClock.now
            let share = (deadline - now) / (addresses.count - index)
            do {
                return try connect(
                    address.pointee,
                    of: authority,
                    until: now + share,
                    isWanted: isWanted
                )
            } catch let error as ClientError {
                failure = error
            }
        }
        throw failure
    }

    private static func connect(
        _ address: addrinfo,
        of authority: Authority,
        until deadline: ContinuousClock.Instant,
        isWanted: (SocketConnection) -> Bool
    ) throws -> SocketConnection {
        let flags = Int32(SOCK_NONBLOCK.rawFlag) | Int32(SOCK_CLOEXEC.rawFlag)
        let descriptor = socket(address.ai_family, streamType | flags, address.ai_protocol)
        guard descriptor >= 0 else { throw unreachable(authority, errno) }
        let connection = SocketConnection(descriptor: descriptor)
        guard isWanted(connection) else { throw CancellationError() }

        // A request is written in one piece; there is nothing to wait for.
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP.rawFlag), TCP_NODELAY, &on, size)

        if systemConnect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return connection }
        guard errno == EINPROGRESS else { throw unreachable(authority, errno) }
        do {
            _ = try connection.wait(for: POLLOUT, until: deadline)
        } catch {
            throw ClientError(.timedOut, "\(authority.text) did not accept a connection in time")
        }
        guard isWanted(connection) else { throw CancellationError() }
        var error: Int32 = 0
        var errorSize = size
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &errorSize)
        guard error == 0 else { throw unreachable(authority, error) }
        return connection
    }

    private static func unreachable(_ authority: Authority, _ number: Int32) -> ClientError {
        let reason = String(cString: strerror(number))
        return ClientError(.unreachable, "\(authority.text) cannot be reached: \(reason)")
    }

    /// Ends what a thread waits for on the connection, from any thread.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Whether nothing has come and the other side hasn't closed: bytes that come unasked are the
    /// answer to nothing, so that a connection with such bytes is of no use either.
    var isQuiet: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    /// Waits until there are bytes, or the end.
    ///
    /// - Throws: a ``ClientError`` of kind `timedOut` at the deadline.
    func wait(toReadUntil deadline: ContinuousClock.Instant) throws(ClientError) {
        _ = try wait(for: POLLIN, until: deadline)
    }

    /// Waits until bytes can be written or are there to be read, whichever is first.
    ///
    /// - Throws: a ``ClientError`` of kind `timedOut` at the deadline.
    func wait(
        toWriteUntil deadline: ContinuousClock.Instant
    ) throws(ClientError) -> (isReadable: Bool, isWritable: Bool) {
        let events = Int32(try wait(for: POLLIN | POLLOUT, until: deadline))
        return (events & (POLLIN | POLLHUP | POLLERR) != 0, events & POLLOUT != 0)
    }

    private func wait(
        for events: Int32,
        until deadline: ContinuousClock.Instant
    ) throws(ClientError) -> Int16 {
        while true {
            let left = deadline - .now
            guard left > .zero else { throw ClientError(.timedOut, "There was no answer in time") }
            let (seconds, attoseconds) = left.components
            let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            if poll(&entry, 1, Int32(clamping: milliseconds)) > 0 { return entry.revents }
        }
    }

    /// Reads what has come: 0 at the end, negative where the connection broke.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, room.baseAddress, room.count, 0)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Writes as much as goes now, perhaps nothing; nil where the connection broke.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { bytes in
            send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL.rawFlag))
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
}

private let streamType = Int32(SOCK_STREAM.rawFlag)

/// The C function, which the type's own ones of that name would hide.
private func systemConnect(
    _ descriptor: Int32,
    _ address: UnsafePointer<sockaddr>?,
    _ size: socklen_t
) -> Int32 {
    connect(descriptor, address, size)
}

// Glibc makes enumerations of what Musl makes plain numbers.
extension RawRepresentable where RawValue: BinaryInteger {
    fileprivate var rawFlag: RawValue { rawValue }
}

extension BinaryInteger {
    fileprivate var rawFlag: Self { self }
}
#endif
