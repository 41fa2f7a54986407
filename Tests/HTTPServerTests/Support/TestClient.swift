import System
import Glibc
import HTTPServer

/// A client that sends bytes as told and reads answers; it blocks in `poll` alone, and never for
/// longer than its patience.
final class TestClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    enum End: Equatable {
        case closed, reset
    }

    /// Milliseconds without any progress; then the test fails.
    private static let patience: CInt = 60_000

    private var descriptor: CInt
    private let isUnix: Bool
    private(set) var received: [UInt8] = []
    private(set) var end: End?

    /// Connects; `receiveBuffer` bounds what the kernel takes for a client that doesn't read.
    init(_ address: SocketAddress, receiveBuffer: CInt? = nil) throws {
        switch address {
        case .tcp(let host, let port):
            isUnix = false
            descriptor = try Self.open(host.contains(":") ? AF_INET6 : AF_INET, receiveBuffer)
            var one: CInt = 1
            let size = socklen_t(MemoryLayout<CInt>.size)
            setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, size)
            try connect(host.contains(":") ? .ipv6(host, port) : .ipv4(host, port), address)
        case .unix(let path):
            isUnix = true
            descriptor = try Self.open(AF_UNIX, receiveBuffer)
            try connect(.unix(path), address)
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close() }

    private static func open(_ family: CInt, _ receiveBuffer: CInt?) throws -> CInt {
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        if var size = receiveBuffer {
            let length = socklen_t(MemoryLayout<CInt>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, length)
        }
        return descriptor
    }

    private func connect(_ peer: Peer, _ address: SocketAddress) throws {
        guard peer.connect(descriptor) == 0 else {
            let error = SystemError("connect to \(address)")
            close()
            throw error
        }
    }

    // MARK: Sending

    /// Sends all of it, and reads what comes meanwhile.
    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends all of it, and reads what comes meanwhile.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            sent += try sendSome(bytes[sent...])
            if sent < bytes.count {
                let ready = try wait(for: POLLIN | POLLOUT, "to send")
                if ready & POLLIN != 0 { receive() }
            }
        }
    }

    /// Sends what the kernel takes without waiting; returns how many bytes it took.
    func sendSome(_ bytes: ArraySlice<UInt8>) throws -> Int {
        var done = 0
        while done < bytes.count {
            let sent = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor,
                    $0.baseAddress.map { $0 + done },
                    $0.count - done,
                    CInt(MSG_NOSIGNAL)
                )
            }
            if sent < 0, errno == EAGAIN { break }
            guard sent > 0 else { throw SystemError("send") }
            done += sent
        }
        return done
    }

    /// Sends, and returns when the server has read all of it: a Unix socket tells.
    func deliver(_ text: String) throws { try deliver(Array(text.utf8)) }

    /// Sends, and returns when the server has read all of it: a Unix socket tells.
    func deliver(_ text: [UInt8]) throws {
        guard isUnix else { throw Failure(description: "TCP doesn't tell what was read") }
        try send(text)
        let start = time()
        var unread: CInt = 1
        while unread > 0, time() - start < Self.patience {
            guard ioctl(descriptor, UInt(TIOCOUTQ), &unread) == 0 else {
                throw SystemError("ioctl")
            }
            sched_yield()
        }
        guard unread == 0 else { throw Failure(description: "the server doesn't read") }
    }

    /// Sends no more; the answers can still be read.
    func halfClose() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Breaks the connection off: the peer sees a reset.
    func reset() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<Glibc.linger>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
        close()
    }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    // MARK: Reading

    /// The next answer; `toHead` if it has no body, whatever its Content-Length.
    func answer(toHead: Bool = false) throws -> Answer {
        while true {
            if let answer = Answer(received, toHead: toHead) {
                received.removeFirst(answer.length)
                return answer
            }
            guard end == nil else {
                let text = String(decoding: received.prefix(200), as: UTF8.self)
                throw Failure(description: "\(end == .reset ? "reset" : "closed") after: \(text)")
            }
            try readMore()
        }
    }

    /// Waits for more bytes and takes all there are; none at the end.
    func readSomeMore() throws -> [UInt8] {
        while received.isEmpty, end == nil { try readMore() }
        defer { received = [] }
        return received
    }

    /// Reads what is here, without waiting.
    func readSome() { receive() }

    /// Reads at least this many bytes, without taking them.
    func read(atLeast count: Int) throws {
        while received.count < count, end == nil { try readMore() }
    }

    /// Reads until these bytes have come, without taking them.
    func read(until text: String) throws {
        var searched = 0
        while true {
            let news = String(decoding: received[searched...], as: UTF8.self)
            if news.contains(text) { return }
            guard end == nil else { throw Failure(description: "the end before: \(text)") }
            searched = max(0, received.count - text.utf8.count)
            try readMore()
        }
    }

    /// Takes what was read, or that up to a text and with it.
    func takeText(through mark: String? = nil) -> String {
        let text = String(decoding: received, as: UTF8.self)
        guard let mark, let range = text.firstRange(of: mark) else {
            received = []
            return text
        }
        let taken = text[..<range.upperBound]
        received.removeFirst(taken.utf8.count)
        return String(taken)
    }

    /// Reads until the server has closed.
    func readToEnd() throws -> End {
        while true {
            if let end { return end }
            try readMore()
        }
    }

    /// Takes what was read.
    func take() -> [UInt8] {
        defer { received = [] }
        return received
    }

    private func readMore() throws {
        _ = try wait(for: POLLIN, "for the server")
        receive()
    }

    private func receive() {
        withUnsafeTemporaryAllocation(byteCount: 262_144, alignment: 1) { room in
            let count = recv(descriptor, room.baseAddress, room.count, 0)
            if count > 0 { received += room.prefix(count) }
            if count == 0 { end = .closed }
            if count < 0, errno != EAGAIN { end = .reset }
        }
    }

    private func wait(for events: CInt, _ what: String) throws -> CInt {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let count = poll(&entry, 1, Self.patience)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(description: "waited too long \(what)") }
            let ready = CInt(entry.revents)
            return ready & (POLLERR | POLLHUP) == 0 ? ready : ready | POLLIN
        }
    }

    private func time() -> CInt {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return CInt(truncatingIfNeeded: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }
}

/// An address to connect to.
private enum Peer {
    case ipv4(String, UInt16)
    case ipv6(String, UInt16)
    case unix(String)

    func connect(_ descriptor: CInt) -> CInt {
        switch self {
        case .ipv4(let host, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            return connect(descriptor, &address)
        case .ipv6(let host, let port):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            return connect(descriptor, &address)
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return connect(descriptor, &address)
        }
    }

    private func connect<Address>(_ descriptor: CInt, _ address: inout Address) -> CInt {
        let size = socklen_t(MemoryLayout<Address>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, size)
            }
        }
    }
}
