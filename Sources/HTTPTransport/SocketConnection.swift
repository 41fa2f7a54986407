#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
import Locking

/// A TCP connection, optionally with TLS; each wait has a deadline, and `deinit` closes it.
final class SocketConnection: Sendable {
    /// The result of a read.
    enum ReadResult: Equatable {
        case bytes(Int)
        /// No bytes yet.
        case nothing
        /// The server has closed its side.
        case end
        /// The connection broke, so bytes may be missing.
        case broken
    }

    /// The events that a stream waits for.
    enum Event { case readable, writable, any }

    private let descriptor: Int32
    /// The TLS layer; nil for plain HTTP.
    private let tls: TLSChannel?
    /// A stream reads and writes at the same time.
    private let tlsLock = Locked(())

    private init(descriptor: Int32, tls: TLSChannel?) {
        self.descriptor = descriptor
        self.tls = tls
    }

    deinit {
        tls?.sendCloseNotify()
        _ = flush()
        close(descriptor)
    }

    /// Connects to the first of a host's addresses that accepts.
    ///
    /// - Parameters:
    /// - addresses: The host's addresses.
    /// - authority: The host, a name or an address, and the port.
    /// - trust: The trust store for TLS; nil for plain HTTP.
    /// - deadline: The end of all attempts. Addresses are tried one after the other, and each gets
    ///   an equal share of the remaining time.
    /// - isWanted: Called with each connection before a wait; false ends the attempt.
    /// - Returns: An established connection.
    /// - Throws: ``ClientError``, or `CancellationError` if `isWanted` returns false.
    static func connect(
        to addresses: HostAddresses,
        of authority: HostAndPort,
        trusting trust: TrustStore?,
        until deadline: ContinuousClock.Instant,
        isWanted: (SocketConnection) -> Bool
    ) throws -> SocketConnection {
        let connection = try reach(
            addresses,
            of: authority,
            trusting: trust,
            until: deadline,
            isWanted: isWanted
        )
        try connection.secure(authority, until: deadline)
        return connection
    }

    private static func reach(
        _ found: HostAddresses,
        of authority: HostAndPort,
        trusting trust: TrustStore?,
        until deadline: ContinuousClock.Instant,
        isWanted: (SocketConnection) -> Bool
    ) throws -> SocketConnection {
        let addresses = found.all
        defer { withExtendedLifetime(found) {} }
        var failure: any Error = ClientError(.unreachable, "\(authority.host) has no address")
        for (index, address) in addresses.enumerated() {
            let now = ContinuousClock.now
            let share = (deadline - now) / (addresses.count - index)
            do {
                return try reach(
                    address.pointee,
                    of: authority,
                    trusting: trust,
                    until: now + share,
                    isWanted: isWanted
                )
            } catch let error as ClientError {
                failure = error
            }
        }
        throw failure
    }

    private static func reach(
        _ address: addrinfo,
        of authority: HostAndPort,
        trusting trust: TrustStore?,
        until deadline: ContinuousClock.Instant,
        isWanted: (SocketConnection) -> Bool
    ) throws -> SocketConnection {
        let tls = try trust?.channel(to: authority)
        let flags = Int32(SOCK_NONBLOCK.rawFlag) | Int32(SOCK_CLOEXEC.rawFlag)
        let descriptor = socket(address.ai_family, streamType | flags, address.ai_protocol)
        guard descriptor >= 0 else { throw unreachable(authority, errno) }
        let connection = SocketConnection(descriptor: descriptor, tls: tls)
        guard isWanted(connection) else { throw CancellationError() }

        // A request is written in one piece, so Nagle's algorithm would only delay it.
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

    private static func unreachable(_ authority: HostAndPort, _ number: Int32) -> ClientError {
        let reason = String(cString: strerror(number))
        return ClientError(.unreachable, "\(authority.text) cannot be reached: \(reason)")
    }

    /// Ends another thread's wait on the connection.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Whether the connection is open and has no unexpected bytes, so that it can be reused.
    ///
    /// TLS's own records, such as a ticket, are allowed.
    var isQuiet: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 0) == 0 { return true }
        guard tls != nil else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { room in
            (try? read(into: room, until: .now + .milliseconds(50))) == .nothing
        }
    }

    /// Performs the TLS handshake, if the connection has TLS.
    ///
    /// - Throws: ``ClientError`` of kind `untrusted`, `timedOut` or `unreachable`.
    private func secure(
        _ authority: HostAndPort,
        until deadline: ContinuousClock.Instant
    ) throws(ClientError) {
        guard let tls else { return }
        do throws(ClientError) {
            while try !shakeHands(tls, authority, until: deadline) {}
        } catch {
            guard error.kind == .timedOut else { throw error }
            throw ClientError(.timedOut, "\(authority.text) did not finish the TLS handshake")
        }
    }

    /// Performs one step of the handshake; returns true when it is complete.
    private func shakeHands(
        _ tls: TLSChannel,
        _ authority: HostAndPort,
        until deadline: ContinuousClock.Instant
    ) throws(ClientError) -> Bool {
        let outcome = tls.handshake()
        // Sends a pending alert first, since it tells the server more than a close.
        while hasUnsent {
            guard flush() else { throw Self.unreachable(authority, ECONNRESET) }
            if hasUnsent { _ = try wait(for: POLLOUT, until: deadline) }
        }
        switch outcome {
        case .done: return true
        case .failed(let error): throw error
        case .ended: throw Self.unreachable(authority, ECONNRESET)
        case .needsRecords: break
        }
        switch receiveRecords(for: tls) {
        case .bytes: break
        case .nothing: try wait(toReadUntil: deadline)
        case .end, .broken:
            throw ClientError(
                .unreachable,
                "\(authority.text) closed the connection within the TLS handshake"
            )
        }
        return false
    }

    /// Waits for events without blocking a thread.
    ///
    /// - Returns: False at the deadline.
    /// - Throws: `CancellationError`, or ``ClientError`` if no thread can be created.
    func waits(for event: Event, until deadline: ContinuousClock.Instant) async throws -> Bool {
        let events =
            switch event {
            case .readable: Int16(POLLIN)
            case .writable: Int16(POLLOUT)
            case .any: Int16(POLLIN | POLLOUT)
            }
        return try await Poller.shared.wait(for: events, of: descriptor, until: deadline) != 0
    }

    /// Waits for bytes or the end of the connection.
    ///
    /// - Throws: ``ClientError`` of kind `timedOut` at the deadline.
    func wait(toReadUntil deadline: ContinuousClock.Instant) throws(ClientError) {
        _ = try wait(for: POLLIN, until: deadline)
    }

    /// Waits until the connection is writable or readable.
    ///
    /// - Throws: ``ClientError`` of kind `timedOut` at the deadline.
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
            guard left > .zero else { throw Self.timedOut }
            let (seconds, attoseconds) = left.components
            let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            if poll(&entry, 1, Int32(clamping: milliseconds)) > 0 { return entry.revents }
        }
    }

    /// Reads received bytes without waiting.
    ///
    /// - Throws: ``ClientError`` if TLS fails. Also of kind `timedOut` after the deadline, since a
    ///   server that never stops sending never causes a wait.
    func read(
        into room: UnsafeMutableRawBufferPointer,
        until deadline: ContinuousClock.Instant
    ) throws(ClientError) -> ReadResult {
        try checkTime(until: deadline)
        guard let tls else { return receive(into: room) }
        while true {
            try checkTime(until: deadline)
            let outcome = tlsLock.withLock { _ in
                let outcome = tls.read(into: room)
                if case .failed = outcome { _ = flush() }
                return outcome
            }
            switch outcome {
            case .done(let count): return .bytes(count)
            case .ended: return .end
            case .failed(let error): throw error
            case .needsRecords: break
            }
            switch receiveRecords(for: tls) {
            case .bytes: break
            case .nothing: return .nothing
            // Without TLS's close alert, an attacker may have truncated the stream (RFC 8446 §6.1).
            case .end, .broken: return .broken
            }
        }
    }

    private func checkTime(until deadline: ContinuousClock.Instant) throws(ClientError) {
        if deadline <= .now { throw Self.timedOut }
    }

    /// The error of a response that is late.
    static var timedOut: ClientError {
        ClientError(.timedOut, "The server did not respond in time")
    }

    private func receiveRecords(for tls: TLSChannel) -> ReadResult {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { room in
            let result = receive(into: room)
            if case .bytes(let count) = result {
                tlsLock.withLock { _ in
                    tls.feed(UnsafeRawBufferPointer(rebasing: room[..<count]))
                }
            }
            return result
        }
    }

    private func receive(into room: UnsafeMutableRawBufferPointer) -> ReadResult {
        while true {
            let count = recv(descriptor, room.baseAddress, room.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .nothing : .broken
        }
    }

    /// Whether encrypted bytes still wait for the socket.
    var hasUnsent: Bool {
        guard let tls else { return false }
        return tlsLock.withLock { _ in !tls.unsent.isEmpty }
    }

    /// Writes as many bytes as possible without waiting; returns nil if the connection broke.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let tls else { return send(bytes) }
        return tlsLock.withLock { _ in
            guard flush() else { return nil }
            if !tls.unsent.isEmpty { return 0 }
            guard let count = tls.seal(bytes), flush() else { return nil }
            return count
        }
    }

    /// Sends pending records without waiting; returns false if the connection broke.
    private func flush() -> Bool {
        guard let tls else { return true }
        while !tls.unsent.isEmpty {
            guard let count = send(tls.unsent) else { return false }
            guard count > 0 else { return true }
            tls.sent(count)
        }
        return true
    }

    private func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { bytes in
            systemSend(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL.rawFlag))
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
}

let streamType = Int32(SOCK_STREAM.rawFlag)

// The C functions, which the type's methods of the same names hide.
private func systemConnect(
    _ descriptor: Int32,
    _ address: UnsafePointer<sockaddr>?,
    _ size: socklen_t
) -> Int32 {
    connect(descriptor, address, size)
}

private func systemSend(
    _ descriptor: Int32,
    _ bytes: UnsafeRawPointer?,
    _ count: Int,
    _ flags: Int32
) -> Int {
    send(descriptor, bytes, count, flags)
}

// Glibc declares enumerations where Musl declares plain numbers.
extension RawRepresentable where RawValue: BinaryInteger {
    fileprivate var rawFlag: RawValue { rawValue }
}

extension BinaryInteger {
    fileprivate var rawFlag: Self { self }
}
#endif
