import Glibc

/// A TCP connection that sends octets as told and reads what comes.
///
/// It blocks the thread in `poll` only, and never longer than its patience behind the last write: a case of many
/// writes on a busy machine is not a slow server.
final class RawClient {
    enum End: Sendable, Equatable {
        case closed
        case reset
        /// The deadline passed, and the server had not closed.
        case stillOpen
    }

    private let descriptor: Int32
    private let patience: Duration
    private var deadline: ContinuousClock.Instant
    private(set) var received: [UInt8] = []
    private(set) var end: End?

    init(port: UInt16, patience: Duration) throws {
        self.patience = patience
        deadline = .now + patience
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw HarnessError("socket: errno \(errno)") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status != 0 {
            let code = errno
            close(descriptor)
            throw HarnessError("connect to 127.0.0.1:\(port): errno \(code)")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of `bytes` unless the server closes first or `isAnswered` says that it would be in vain.
    ///
    /// It reads meanwhile, as a client has to: a server that answers early would otherwise block both.
    func send(_ bytes: [UInt8], isAnswered: () -> Bool) {
        deadline = .now + patience
        var sent = 0
        while sent < bytes.count, end == nil {
            let ready = wait(for: readable | writable)
            if ready & readable != 0 {
                receive()
                continue
            }
            if ready & writable == 0 || isAnswered() { return }
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, quietly)
            }
            if count < 0 {
                if errno == EAGAIN || errno == EINTR { continue }
                // A reset or closed peer: what it had said before is still to be read.
                return
            }
            sent += count
        }
    }

    /// Lets the server read what was sent so far by itself: until it answers, a millisecond at most.
    func yieldToServer() {
        if wait(for: readable, atMost: .milliseconds(1)) & readable != 0 { receive() }
    }

    /// Blocks until bytes came, the server closed, or the deadline passed; `false` where there is no more.
    func readMore() -> Bool {
        guard end == nil else { return false }
        if wait(for: readable) & readable == 0 {
            end = .stillOpen
            return false
        }
        receive()
        return end == nil
    }

    func halfClose() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func receive() {
        let count = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { room in
            let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
            if count > 0 { received += room.prefix(count) }
            return count
        }
        if count == 0 { end = .closed }
        if count < 0, errno != EAGAIN, errno != EINTR { end = .reset }
    }

    /// The events that are ready; `readable` stands for an error too, which the next read tells.
    private func wait(for events: Int32, atMost limit: Duration? = nil) -> Int32 {
        while true {
            let left = min(deadline - .now, limit ?? .seconds(60))
            guard left > .zero else { return 0 }
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let count = poll(&entry, 1, Int32(left / .milliseconds(1)) + 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return 0 }
            let ready = Int32(entry.revents)
            return ready & broken == 0 ? ready : ready | readable
        }
    }
}

/// No signal where the peer has closed, no wait where the buffer is full.
private let quietly = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

private let readable = Int32(POLLIN)
private let writable = Int32(POLLOUT)
private let broken = Int32(POLLERR | POLLHUP)
